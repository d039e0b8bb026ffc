import { expect, it } from 'vitest';
import { remember } from './remember.ts';

it('keeps answers for a while, and no failures', async () => {
  let [now, asked] = [0, 0];
  const kept = remember<number>(60, () => now, 2);
  const find = async () => ++asked;
  await expect(kept('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([await kept('a', find), await kept('a', find)]).toEqual([1, 1]);
  now = 60;
  expect(await kept('a', find)).toBe(2);
  await kept('b', find);
  await kept('c', find);
  expect(await kept('a', find)).toBe(5);
});

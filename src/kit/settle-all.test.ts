import { expect, it } from 'vitest';
import { settleAll } from './settle-all.ts';

it('waits for all of them and tells each that failed', async () => {
  const done: string[] = [];
  const slow = new Promise((resolve) => setImmediate(resolve)).then(() => done.push('slow'));
  const told: unknown[] = [];
  await settleAll([Promise.reject(new Error('one')), slow, Promise.reject(new Error('two'))], (thrown) =>
    told.push(thrown),
  );
  expect(done).toEqual(['slow']);
  expect(told).toEqual([new Error('one'), new Error('two')]);
});

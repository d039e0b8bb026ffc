import { describe, expect, it } from 'vitest';
import { createKeyedCache, KeyContended } from './keyed-cache.ts';

const gated = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let slow = true;
  const cache = createKeyedCache<string>({
    ttlMs: () => 60_000,
    transfer: async () => (slow ? promise : undefined),
  });
  return {
    cache,
    open: () => {
      slow = false;
      resolve();
    },
  };
};

describe('a cache with a lock for each key', () => {
  it('loads once, whoever asks meanwhile, and again after a flush', async () => {
    const cache = createKeyedCache<number>({ ttlMs: () => 60_000, transfer: () => Promise.resolve() });
    let loads = 0;
    const load = () => Promise.resolve(++loads);
    const reads = await Promise.all([1, 2, 3].map(() => cache.read('a', load, 1_000)));
    expect(reads.map(({ hit }) => hit)).toEqual([false, true, true]);
    expect(loads).toBe(1);
    cache.flush();
    expect((await cache.read('a', load, 1_000)).value).toBe(2);
  });

  it('makes readers of one key wait, and none of another', async () => {
    const { cache, open } = gated();
    const load = () => Promise.resolve('value');
    const first = cache.read('hot', load, 1_000);
    const refused = await cache.read('hot', load, 20).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(KeyContended);
    const waiting = cache.read('hot', load, 5_000);
    open();
    expect((await first).ahead).toBe(0);
    expect(await waiting).toMatchObject({ hit: true, ahead: 1 });
    expect((await cache.read('cold', load, 20)).waitedMs).toBe(0);
  });

  it('lets the next one in after a failed load', async () => {
    const cache = createKeyedCache<string>({ ttlMs: () => 60_000, transfer: () => Promise.resolve() });
    await expect(cache.read('a', () => Promise.reject(new Error('gone')), 50)).rejects.toThrow('gone');
    expect((await cache.read('a', () => Promise.resolve('back'), 50)).value).toBe('back');
  });
});

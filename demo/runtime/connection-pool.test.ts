import { describe, expect, it } from 'vitest';
import { createPool, PoolExhausted } from './connection-pool.ts';

const numbered = (size: number) => {
  let opened = 0;
  const closed: number[] = [];
  const pool = createPool(
    () => ++opened,
    (connection) => closed.push(connection),
    size,
  );
  return { pool, closed, opened: () => opened };
};

describe('a connection pool', () => {
  it('opens only what is needed and lends the same again', async () => {
    const { pool, opened } = numbered(2);
    const first = await pool.acquire(10);
    first.release();
    const again = await pool.acquire(10);
    expect(again.connection).toBe(first.connection);
    expect(opened()).toBe(1);
  });

  it('serves those who wait in order, and not twice for two releases of one lease', async () => {
    const { pool } = numbered(1);
    const held = await pool.acquire(10);
    const got: string[] = [];
    const waiting = ['a', 'b'].map((name) =>
      pool.acquire(1_000).then((lease) => {
        got.push(name);
        return lease;
      }),
    );
    held.release();
    held.release();
    const first = await waiting[0];
    expect(got).toEqual(['a']);
    expect(pool.inUse).toBe(1);
    first?.release();
    await waiting[1];
    expect(got).toEqual(['a', 'b']);
  });

  it('says how many are in use and how long it waited', async () => {
    const { pool } = numbered(2);
    await pool.acquire(10);
    await pool.acquire(10);
    const failed = await pool.acquire(20).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(PoolExhausted);
    expect(String(failed)).toContain('connection pool exhausted: 2/2 in use, waited 20 ms');
    expect(pool.pending).toBe(0);
  });

  it('grows and shrinks while in use, and a retired one closes what comes back', async () => {
    const { pool, closed } = numbered(1);
    const first = await pool.acquire(10);
    const second = pool.acquire(1_000);
    pool.resize(2);
    const lease = await second;
    pool.resize(1);
    lease.release();
    expect(closed).toEqual([lease.connection]);
    pool.retire();
    first.release();
    expect(closed).toEqual([lease.connection, first.connection]);
    await expect(pool.acquire(5)).rejects.toBeInstanceOf(PoolExhausted);
  });
});

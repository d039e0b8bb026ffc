import { describe, expect, it } from 'vitest';
import type { ErrorCode, ErrorRecord } from '#spec/data';
import type { Credential, CredentialState } from '#spec/ports';
import { memoryBook } from '#support/engines/models/memory-book';
import { type Pool, type PoolStrategy, recordUse, soonestRested, usable } from './credential-pool.ts';

const NOW = 1_000_000;
const key = (id: string): Credential => ({ id, label: id.toUpperCase(), secret: `secret-${id}` });
const KEYS = ['a', 'b', 'c'].map(key);

function pool(states: Record<string, CredentialState> = {}, more: Partial<Pool> = {}) {
  const book = memoryBook({ acme: states });
  const made: Pool = {
    provider: 'acme',
    credentials: KEYS,
    strategy: 'fill_first',
    book,
    now: () => NOW,
    random: () => 0,
    ...more,
  };
  return { pool: made, states };
}

const ids = (credentials: readonly Credential[]) => credentials.map(({ id }) => id).join('');
const failed = (code: ErrorCode, afterMs?: number): ErrorRecord => ({
  code,
  message: 'm',
  retry: { again: true, ...(afterMs === undefined ? {} : { afterMs }) },
});

describe('usable', () => {
  const order = async (strategy: PoolStrategy, states: Record<string, CredentialState>, random = 0) =>
    ids(await usable(pool(states, { strategy, random: () => random }).pool, new Set()));
  const used = (uses: number, lastUsedAt: number): CredentialState => ({ uses, lastUsedAt });

  it('fill_first keeps the order that was configured', async () => {
    expect(await order('fill_first', { a: used(99, NOW) })).toBe('abc');
  });

  it('round_robin begins with the one that was used the longest ago, or never', async () => {
    expect(await order('round_robin', { a: used(1, 30), b: used(1, 10), c: used(1, 20) })).toBe('bca');
    expect(await order('round_robin', { a: used(1, 30), b: used(1, 10) })).toBe('cba');
  });

  it('least_used begins with the one that was used least', async () => {
    expect(await order('least_used', { a: used(5, 1), b: used(2, 2), c: used(3, 3) })).toBe('bca');
    expect(await order('least_used', { a: used(1, 1) })).toBe('bca');
  });

  it('random begins anywhere', async () => {
    expect(await order('random', {}, 0)).toBe('abc');
    expect(await order('random', {}, 0.5)).toBe('bca');
    expect(await order('random', {}, 0.999)).toBe('cab');
  });

  it('leaves out what rests and what was tried', async () => {
    const { pool: made } = pool({ a: { uses: 1, restsUntil: NOW + 1 }, b: { uses: 1, restsUntil: NOW } });
    expect(ids(await usable(made, new Set()))).toBe('bc');
    expect(ids(await usable(made, new Set(['b'])))).toBe('c');
    expect(ids(await usable({ ...made, credentials: [] }, new Set()))).toBe('');
  });

  it('knows nothing of the keys of another provider', async () => {
    const { pool: made } = pool({ a: { uses: 1, restsUntil: NOW + 1 } });
    expect(ids(await usable({ ...made, provider: 'other' }, new Set()))).toBe('abc');
  });
});

describe('soonestRested', () => {
  it('is the one whose rest ends first, of those not tried', async () => {
    const rests = (ms: number): CredentialState => ({ uses: 1, restsUntil: NOW + ms });
    const { pool: made } = pool({ a: rests(300), b: rests(100), c: rests(200) });
    expect((await soonestRested(made, new Set()))?.id).toBe('b');
    expect((await soonestRested(made, new Set(['b'])))?.id).toBe('c');
    expect(await soonestRested(made, new Set(['a', 'b', 'c']))).toBeUndefined();
  });
});

describe('recordUse', () => {
  const [first] = KEYS as [Credential];

  it('counts, and remembers when', async () => {
    const { pool: made, states } = pool({ a: { uses: 4, restsUntil: 5, restsBecause: 'model.auth' } });
    await recordUse(made, first);
    expect(states.a).toEqual({ uses: 5, lastUsedAt: NOW });
  });

  it.each([
    ['model.auth', 3_600_000],
    ['model.permission', 3_600_000],
    ['model.billing', 3_600_000],
    ['model.rate_limited', 300_000],
  ] as const)('lets a key rest after %s', async (code, ms) => {
    const { pool: made, states } = pool();
    await recordUse(made, first, failed(code));
    expect(states.a).toEqual({ uses: 1, lastUsedAt: NOW, restsUntil: NOW + ms, restsBecause: code });
  });

  it('lets it rest for as long as the vendor says', async () => {
    const { pool: made, states } = pool();
    await recordUse(made, first, failed('model.rate_limited', 1_234));
    expect(states.a?.restsUntil).toBe(NOW + 1_234);
  });

  it('does not blame the key for what is not its fault', async () => {
    const { pool: made, states } = pool();
    await recordUse(made, first, failed('model.server', 9_000));
    expect(states.a).toEqual({ uses: 1, lastUsedAt: NOW });
  });

  it('writes nothing for a lone key, unless it must rest', async () => {
    const { pool: made, states } = pool({}, { credentials: [first] });
    await recordUse(made, first);
    await recordUse(made, first, failed('model.server'));
    expect(states).toEqual({});
    await recordUse(made, first, failed('model.billing'));
    expect(states.a?.restsBecause).toBe('model.billing');
  });
});

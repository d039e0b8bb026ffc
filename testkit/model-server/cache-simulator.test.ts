import { describe, expect, it } from 'vitest';
import { createCacheSimulator } from './cache-simulator.ts';
import type { Piece } from './wire-protocol.ts';

/** Each letter stands for a piece of that many tokens times ten; a capital letter is marked. */
function pieces(text: string, ttl: '5m' | '1h' = '5m'): Piece[] {
  return [...text].map((letter) => ({
    key: `user\n${letter.toLowerCase().repeat(40)}`,
    tokens: 10,
    ...(letter === letter.toUpperCase() ? { cache: ttl } : {}),
  }));
}

const prompt = (end: string) => [{ key: `system\n${'s'.repeat(80)}${end}`, tokens: 21 }];

const none = { cacheWrite: 0, cacheWrite1h: 0 };

describe('automatic caching', () => {
  it('reads the longest prefix that any earlier prompt of the same owner had', () => {
    const cache = createCacheSimulator();
    const count = (text: string, owner = 'me') => cache.count(owner, pieces(text), 'automatic');
    expect(count('abc')).toEqual({ input: 30, cacheRead: 0, ...none });
    expect(count('axyz')).toEqual({ input: 30, cacheRead: 10, ...none });
    expect(count('abcd')).toEqual({ input: 10, cacheRead: 30, ...none });
    expect(count('abc', 'someone else').cacheRead).toBe(0);
    cache.clear();
    expect(count('abc').cacheRead).toBe(0);
  });

  it('counts the equal part of the first piece that differs', () => {
    const cache = createCacheSimulator();
    cache.count('me', prompt('1234'), 'automatic');
    expect(cache.count('me', prompt('5678'), 'automatic').cacheRead).toBe(19);
  });
});

describe('marked caching', () => {
  it('writes and reads only what ends at a marker', () => {
    const cache = createCacheSimulator();
    const count = (text: string) => cache.count('me', pieces(text), 'marked');
    expect(count('abc')).toEqual({ input: 30, cacheRead: 0, ...none });
    expect(count('aBc')).toEqual({ input: 10, cacheRead: 0, cacheWrite: 20, cacheWrite1h: 0 });
    expect(count('abc').cacheRead).toBe(0);
    expect(count('aBcD')).toEqual({ input: 0, cacheRead: 20, cacheWrite: 20, cacheWrite1h: 0 });
  });

  it('finds an earlier marker from a later one, up to twenty pieces back', () => {
    const cache = createCacheSimulator();
    cache.count('me', pieces('A'), 'marked');
    expect(cache.count('me', pieces(`a${'b'.repeat(18)}C`), 'marked').cacheRead).toBe(10);
    expect(cache.count('me', pieces(`a${'d'.repeat(19)}E`), 'marked').cacheRead).toBe(0);
  });

  it('misses everything after a change', () => {
    const cache = createCacheSimulator();
    cache.count('me', pieces('ABC'), 'marked');
    expect(cache.count('me', pieces('AXC'), 'marked')).toMatchObject({ cacheRead: 10, cacheWrite: 20 });
  });

  it('tells what is kept for an hour from what is not', () => {
    const cache = createCacheSimulator();
    const mixed = [...pieces('aB', '1h'), ...pieces('C')];
    expect(cache.count('me', mixed, 'marked')).toEqual({
      input: 0,
      cacheRead: 0,
      cacheWrite: 30,
      cacheWrite1h: 20,
    });
  });
});

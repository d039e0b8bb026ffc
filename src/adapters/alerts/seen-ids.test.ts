import { describe, expect, it } from 'vitest';
import { seenIds } from './seen-ids.ts';

describe('seenIds', () => {
  it('takes each once, and again after it was undone', () => {
    const seen = seenIds();
    const undo = seen.claim('a', 0);
    expect(() => seen.claim('a', 1)).toThrow(/before/);
    undo();
    expect(() => seen.claim('a', 2)).not.toThrow();
  });

  it('forgets what is old, and the oldest when it is full', () => {
    const seen = seenIds({ capacity: 2, keptMs: 100 });
    seen.claim('a', 0);
    expect(() => seen.claim('a', 100)).toThrow(/before/);
    expect(() => seen.claim('a', 101)).not.toThrow();
    seen.claim('b', 102);
    seen.claim('c', 103);
    expect(() => seen.claim('c', 104)).toThrow(/before/);
    expect(() => seen.claim('a', 104)).not.toThrow();
  });
});

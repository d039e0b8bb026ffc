import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from './new-id.ts';

afterEach(() => void vi.useRealTimers());

describe('newId', () => {
  it('says what it is the id of', () => {
    expect(newId('run')).toMatch(/^run_[0-9a-z]{20}$/);
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('x'))).size).toBe(10_000);
  });

  it('sorts by time of making', () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
    const ids = Array.from({ length: 50 }, () => {
      vi.advanceTimersByTime(37);
      return newId('x');
    });
    expect(ids.toSorted()).toEqual(ids);
  });
});

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMITS = { firstByte: 1_000, stall: 500, total: 10_000 };
const never = () => new AbortController().signal;

describe('startDeadline', () => {
  it('aborts when the first byte is late', () => {
    const deadline = startDeadline(never(), LIMITS);
    vi.advanceTimersByTime(999);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.expired).toEqual({ kind: 'firstByte', ms: 1_000 });
  });

  it('aborts when nothing follows a chunk, and every chunk gives it new time', () => {
    const deadline = startDeadline(never(), LIMITS);
    for (let beat = 0; beat < 5; beat++) {
      deadline.beat();
      vi.advanceTimersByTime(499);
    }
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.expired).toEqual({ kind: 'stall', ms: 500 });
  });

  it('aborts after the whole time however lively the answer is', () => {
    const deadline = startDeadline(never(), LIMITS);
    for (let ms = 0; ms < 10_000; ms += 250) {
      expect(deadline.signal.aborted).toBe(false);
      deadline.beat();
      vi.advanceTimersByTime(250);
    }
    expect(deadline.expired).toEqual({ kind: 'total', ms: 10_000 });
  });

  it('waits three seconds at most once the response is whole', () => {
    const patient = startDeadline(never(), { firstByte: 0, stall: 60_000, total: 0 });
    patient.settle();
    vi.advanceTimersByTime(2_999);
    patient.beat();
    vi.advanceTimersByTime(2_999);
    expect(patient.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(patient.signal.aborted).toBe(true);

    const strict = startDeadline(never(), LIMITS);
    strict.settle();
    vi.advanceTimersByTime(500);
    expect(strict.signal.aborted).toBe(true);
  });

  it('has no limits where they are zero, but for the end', () => {
    const deadline = startDeadline(never(), { firstByte: 0, stall: 0, total: 0 });
    deadline.beat();
    expect(vi.getTimerCount()).toBe(0);
    deadline.settle();
    vi.advanceTimersByTime(3_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('aborts with its caller, and then no limit has run out', () => {
    const caller = new AbortController();
    const deadline = startDeadline(caller.signal, LIMITS);
    caller.abort();
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.expired).toBeUndefined();
    expect(startDeadline(AbortSignal.abort(), LIMITS).signal.aborted).toBe(true);
  });

  it('leaves no timer and no listener behind', () => {
    const caller = new AbortController();
    const deadline = startDeadline(caller.signal, LIMITS);
    deadline.beat();
    deadline.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    caller.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});

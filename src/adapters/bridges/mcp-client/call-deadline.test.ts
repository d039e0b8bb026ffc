import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callDeadline } from './call-deadline.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('callDeadline', () => {
  it('comes after its limit, and later with signs of life, but not for ever', () => {
    const deadline = callDeadline(100, 250);
    vi.advanceTimersByTime(90);
    deadline.progress();
    vi.advanceTimersByTime(90);
    deadline.progress();
    vi.advanceTimersByTime(60);
    expect(deadline.signal.aborted).toBe(false);
    deadline.progress();
    vi.advanceTimersByTime(11);
    expect(deadline.signal.reason).toEqual(new Error('timed out after 0.1 s'));
  });

  it('stands still while it is held, and after it is cleared', () => {
    const deadline = callDeadline(100, 1_000);
    const release = deadline.hold();
    const releaseToo = deadline.hold();
    vi.advanceTimersByTime(10_000);
    release();
    release();
    vi.advanceTimersByTime(10_000);
    expect(deadline.signal.aborted).toBe(false);
    releaseToo();
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    deadline.clear();
    vi.advanceTimersByTime(10_000);
    expect(deadline.signal.aborted).toBe(false);
  });
});

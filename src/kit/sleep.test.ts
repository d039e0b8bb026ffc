import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sleep } from './sleep.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('sleep', () => {
  it('resolves to true after its time and not before', async () => {
    const { signal } = new AbortController();
    let slept: boolean | undefined;
    const done = sleep(1_000, signal).then((value) => {
      slept = value;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(slept).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(slept).toBe(true);
    expect(listeners(signal)).toBe(0);
  });

  it('resolves to false as soon as the signal aborts, and leaves no timer behind', async () => {
    const controller = new AbortController();
    const done = sleep(60_000, controller.signal);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    expect(await done).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners(controller.signal)).toBe(0);
  });

  it('does not begin when the signal has aborted already', async () => {
    expect(await sleep(60_000, AbortSignal.abort())).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { stopClock } from './stop-clock.ts';

const never = new AbortController().signal;

describe('stopClock', () => {
  it('ends after its time', async () => {
    expect(await stopClock(5).over(never)).toBe(true);
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const over = stopClock(60_000).over(stop.signal);
    stop.abort();
    expect(await over).toBe(false);
  });

  it('stands still while somebody is waited for', async () => {
    const clock = stopClock(20);
    const answered = Promise.withResolvers<string>();
    const order: string[] = [];
    const over = clock.over(never).then(() => order.push('over'));
    const asked = clock.patiently(() => answered.promise).then(() => order.push('answered'));
    setTimeout(() => answered.resolve('yes'), 80);
    await Promise.all([over, asked]);
    expect(order).toEqual(['answered', 'over']);
    expect(clock.waitedMs()).toBeGreaterThanOrEqual(75);
  });
});

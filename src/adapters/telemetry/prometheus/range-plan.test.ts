import { describe, expect, it } from 'vitest';
import { planRange } from './range-plan.ts';

const START = '2026-05-04T00:00:00Z';
const until = (seconds: number) => ({
  start: START,
  end: new Date(Date.parse(START) + seconds * 1_000).toISOString(),
});

describe('planRange', () => {
  it.each([1, 59, 240, 3_600, 86_400, 2_592_000])('never has more than 240 points in %d s', (seconds) => {
    const { start, end, step } = planRange(until(seconds), 15);
    expect(Math.floor((end - start) / step) + 1).toBeLessThanOrEqual(240);
  });

  it('has steps of the scrape interval where the window is short, and rates of four of them', () => {
    expect(planRange(until(1_800), 15)).toMatchObject({ step: 15, rate: 60 });
    expect(planRange(until(60), 0.5)).toMatchObject({ step: 1, rate: 2 });
  });

  it('has rates that leave no sample out where steps are long', () => {
    const { step, rate } = planRange(until(86_400), 15);
    expect(step).toBeGreaterThan(300);
    expect(rate).toBe(step);
  });
});

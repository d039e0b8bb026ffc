import { describe, expect, it } from 'vitest';
import { measureChange } from './measure-change.ts';

const wave = (length: number, level: number, height: number): number[] =>
  Array.from({ length }, (_, index) => level + height * Math.sin(index));

describe('measureChange', () => {
  it('sees a step, in deviations and against the largest swing', () => {
    const change = measureChange(wave(100, 50, 2), wave(10, 80, 2));
    expect(change?.delta).toBeGreaterThan(28);
    expect(change?.delta).toBeLessThan(32);
    expect(change?.sigmas).toBeGreaterThan(5);
    expect(change?.novelty).toBeGreaterThan(5);
  });

  it('calls a swing that the baseline also had no news', () => {
    const daily = Array.from({ length: 200 }, (_, index) => 50 + 30 * Math.sin(index / 15));
    expect(
      measureChange(
        daily,
        Array.from({ length: 8 }, () => 79),
      )?.novelty,
    ).toBeLessThan(1.1);
  });

  it('does not make an idle series loud', () => {
    const idle = Array.from({ length: 100 }, () => 0.001);
    const change = measureChange(idle, [0.00102, 0.00101, 0.00102, 0.00102]);
    expect(Math.abs(change?.sigmas ?? 0)).toBeLessThan(1);
  });

  it('finds a fault that began late in the window, once the alert tells when', () => {
    const during = [...Array.from({ length: 30 }, () => 0), ...Array.from({ length: 6 }, () => 9)];
    const before = Array.from({ length: 60 }, () => 0);
    expect(measureChange(before, during, 'up')?.delta).toBe(0);
    expect(measureChange(before, during, 'up', during.slice(-5))?.delta).toBe(9);
  });

  it('says nothing about too little', () => {
    expect(measureChange([1, 2], [5])).toBeUndefined();
    expect(measureChange([1, 2, 3, 4, 5], [])).toBeUndefined();
  });
});

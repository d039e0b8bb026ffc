import { describe, expect, it } from 'vitest';
import { slices, windowMs } from './time-window.ts';

describe('slices', () => {
  it('cover a window without a gap and without a time in two of them', () => {
    const window = { start: '2026-05-04T12:00:00+02:00', end: '2026-05-04T12:00:10.001+02:00' };
    const parts = slices(window, 3).map(windowMs);
    expect(parts[0]?.from).toBe(Date.parse(window.start));
    expect(parts.at(-1)?.to).toBe(Date.parse(window.end));
    for (const [at, { from, to }] of parts.entries()) {
      expect(to).toBeGreaterThanOrEqual(from);
      if (at > 0) expect(from).toBe((parts[at - 1]?.to ?? 0) + 1);
    }
  });

  it('are refused of a window that ends before it starts', () => {
    expect(() => slices({ start: '2026-05-04T12:00:00Z', end: '2026-05-04T11:00:00Z' }, 2)).toThrow(
      'ends before it starts',
    );
  });
});

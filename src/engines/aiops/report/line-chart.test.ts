import { describe, expect, it } from 'vitest';
import { type LineChart, lineChart } from './line-chart.ts';
import { niceTicks, timeTicks } from './nice-ticks.ts';

const START = Date.parse('2026-03-01T12:00:00Z') / 1000;
const words = { window: 'Incident', noData: 'no data' };
const chart = (values: readonly number[], more: Partial<LineChart> = {}): string =>
  lineChart({
    title: 'errors',
    unit: '1/s',
    series: [{ name: 'payments', times: values.map((_, index) => START + index * 60), values }],
    markers: [],
    words,
    ...more,
  });
const line = (svg: string): string =>
  /<path d="([^"]*)" class="line s0" fill="none"/.exec(svg)?.[1] ?? 'no line';

describe('lineChart', () => {
  it('has axes with round numbers, a unit and times in UTC', () => {
    const svg = chart([0, 13, 47, 22]);
    for (const label of ['0', '10', '20', '30', '40', '50']) expect(svg).toContain(`>${label}</text>`);
    for (const label of ['12:00:00', '12:01:30', '12:03:00', '2026-03-01, UTC', '1/s'])
      expect(svg).toContain(`>${label}</text>`);
  });

  it('puts values where they belong', () => {
    expect(line(chart([0, 50, 25]))).toBe('M64 214L404 40L744 127');
  });

  it('keeps gaps: missing samples, and values that are none', () => {
    const times = [0, 60, 120, 600, 660, 720].map((offset) => START + offset);
    const values = [1, 2, 3, 4, Number.NaN, 6];
    const svg = chart([], { series: [{ name: 'a', times, values }] });
    expect(line(svg).match(/M/g)).toHaveLength(1);
    // 4 and 6 stand alone, and are drawn as dots.
    expect(svg.match(/<circle/g)).toHaveLength(2);
    const whole = chart([], { series: [{ name: 'a', times: times.slice(0, 3), values: [1, 2, 3] }] });
    expect(whole).not.toContain('<circle');
  });

  it('shades the incident within the picture, and marks what people did in it', () => {
    const markers = [
      { at: START + 60, label: 'deploy v2' },
      { at: START - 9_999, label: 'long ago' },
    ];
    const svg = chart([1, 2, 3], { window: { from: START + 60, to: START + 99_999 }, markers });
    expect(svg).toMatch(/<rect x="404" y="40" width="340"/);
    expect(svg).toContain('<title>deploy v2</title>');
    expect(svg).not.toContain('long ago');
  });

  it('draws four series and no more, told apart without colour', () => {
    const series = Array.from({ length: 6 }, (_, index) => ({
      name: `s-${index}`,
      times: [START, START + 60],
      values: [index, index + 1],
    }));
    const svg = chart([], { series });
    expect(svg).toContain('s-3');
    expect(svg).not.toContain('s-4');
    expect(new Set(svg.match(/stroke-dasharray="[^"]*"/g))).toHaveLength(3);
  });

  it('stays small and keeps the spike of a long series', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => (index === 54_321 ? 1_000 : index % 7));
    const svg = chart(values);
    expect(svg.length).toBeLessThan(40_000);
    expect(line(svg)).toContain(' 40L');
  });

  it.each([
    ['nothing', []],
    ['no numbers', [Number.NaN, Number.NaN]],
    ['one sample', [5]],
    ['all the same', [7, 7, 7]],
    ['all zero', [0, 0]],
    ['below zero', [-5, 3]],
    ['tiny', [1e-7, 2e-7]],
    ['huge', [1e15, 3e15]],
  ])('draws %s without NaN', (_, values) => {
    const svg = chart(values);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    expect(svg.includes('no data')).toBe(!values.some((value) => Number.isFinite(value)));
  });

  it('does not cut the axis to make small things look large', () => {
    expect(chart([10, 20])).toContain('>0</text>');
    expect(chart([1000, 1010])).toContain('>0</text>');
    expect(line(chart([8.1, 8.3]))).toBe('M64 73.1L744 69.6');
  });
});

describe('ticks', () => {
  it.each([
    [0, 0.47, [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
    [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [-3, 9, [-5, 0, 5, 10]],
    [5, 5, [5, 6]],
  ])('from %d to %d', (low, high, ticks) => {
    expect(niceTicks(low, high, 5)).toEqual(ticks);
  });

  it('falls on whole units of time', () => {
    const labels = (seconds: number) =>
      timeTicks(START + 7, START + 7 + seconds, 7).map(({ label }) => label);
    expect(labels(30)).toEqual(['12:00:10', '12:00:15', '12:00:20', '12:00:25', '12:00:30', '12:00:35']);
    expect(labels(7_200)).toEqual(['12:30', '13:00', '13:30', '14:00']);
    expect(labels(172_800)[0]).toBe('03-02 00:00'.slice(0, 11));
    expect(labels(10 * 365 * 86_400).length).toBeLessThan(13);
  });
});

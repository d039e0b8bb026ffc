const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/_ms$/, 'ms'],
  [/_seconds$/, 's'],
  [/_bytes_per_second$/, 'B/s'],
  [/_per_second$/, '/s'],
  [/_per_minute$/, '/min'],
  [/_bytes$/, 'bytes'],
  [/_(?:ratio|usage|utilization|saturation)$/, 'ratio'],
  [/_percent$/, '%'],
];

/** The unit that the name of a metric says, without what follows `@` (a version). */
export function metricUnit(metric: string): string {
  const [name = ''] = metric.split('@');
  return ENDINGS.find(([ending]) => ending.test(name))?.[1] ?? '';
}

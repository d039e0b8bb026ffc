export interface ChartSeries {
  readonly label: string;
  /** Unix seconds, rising. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  /** A token of the palette: `bad`, `series-2`, … */
  readonly color?: string;
}

/** A series that is silent for so many of its usual steps has a gap. */
const GAP_STEPS = 5;

/**
 * All series on one time axis. A value is `undefined` where a series merely has no sample at a time that another one has
 * (the line goes on), and `null` where it was silent (the line breaks).
 */
export function alignSeries(
  series: readonly ChartSeries[],
): readonly [readonly number[], ...(readonly (number | null | undefined)[])[]] {
  const breaks = series.map(({ times }) => gapsOf(times));
  const all = new Set<number>();
  for (const { times } of series) for (const time of times) all.add(time);
  for (const each of breaks) for (const time of each) all.add(time);
  const axis = [...all].sort((one, other) => one - other);
  const columns = series.map(({ times, values }, index) => {
    const at = new Map<number, number | null>();
    for (const time of breaks[index] ?? []) at.set(time, null);
    for (const [place, time] of times.entries()) at.set(time, values[place] ?? null);
    return axis.map((time) => at.get(time));
  });
  return [axis, ...columns];
}

/** Times in the middle of every gap. */
function gapsOf(times: readonly number[]): readonly number[] {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const usual = steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
  return steps.flatMap((step, index) => (step > usual * GAP_STEPS ? [(times[index] ?? 0) + step / 2] : []));
}

/** Comma-separated values with a line of titles; times are ISO 8601. A cell that could be a formula is made a text. */
export function seriesCsv(series: readonly ChartSeries[]): string {
  const [axis, ...columns] = alignSeries(series);
  const head = ['time', ...series.map(({ label }) => label)].map(cell).join(',');
  const lines = axis.map((time, index) =>
    [new Date(time * 1000).toISOString(), ...columns.map((column) => column[index] ?? '')].join(','),
  );
  return [head, ...lines].join('\n');
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

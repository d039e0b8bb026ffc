import type { MetricSeries } from '#spec/data';

/** Series of several files as one list; a series that is in two files is put together in order of time. */
export function mergeSeries(files: readonly (readonly MetricSeries[])[]): MetricSeries[] {
  const [first = [], ...rest] = files;
  const merged = new Map(first.map((series) => [`${series.service}\n${series.metric}`, series]));
  for (const series of rest.flat()) {
    const key = `${series.service}\n${series.metric}`;
    const found = merged.get(key);
    merged.set(key, found ? joined(found, series) : series);
  }
  return [...merged.values()];
}

/** Nothing that was given is changed: a file may be part of several bundles. */
function joined(one: MetricSeries, other: MetricSeries): MetricSeries {
  const [early, late] = (one.times[0] ?? 0) <= (other.times[0] ?? 0) ? [one, other] : [other, one];
  const { service, metric } = one;
  // The common case: a long history that ends before the case begins.
  if ((early.times.at(-1) ?? 0) <= (late.times[0] ?? 0)) {
    return {
      service,
      metric,
      times: early.times.concat(late.times),
      values: early.values.concat(late.values),
    };
  }
  const samples = [early, late].flatMap(({ times, values }) =>
    times.map((time, index): [number, number] => [time, values[index] as number]),
  );
  samples.sort((a, b) => a[0] - b[0]);
  return {
    service,
    metric,
    times: samples.map(([time]) => time),
    values: samples.map(([, value]) => value),
  };
}

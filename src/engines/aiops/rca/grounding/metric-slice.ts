import type { Evidence, EvidenceResult, MetricSeries, Telemetry } from '#spec/data';
import { withoutTotals } from '../metrics/counters.ts';
import { withOwnSeries } from '../metrics/own-series.ts';
import { isWhole } from '../metrics/read-metric-name.ts';
import { type NamedSeries, nameSeries } from '../metrics/service-impact.ts';
import { withStores } from '../metrics/store-findings.ts';
import { type Windows, windowsOf, within } from '../windows.ts';
import { MOST_SHOWN } from '../verdict/evidence-book.ts';
import { thinSeries } from './thin-series.ts';

const MOST_SAMPLES = 500;
const QUERY = /^(.+)\{service="(.*)"\}$/s;

/** The metric and the service that a query of the diagnosis names. */
export function namedSeries({
  query,
}: Pick<Evidence, 'query'>): { metric: string; service: string } | undefined {
  const [, metric, service] = QUERY.exec(query) ?? [];
  return metric === undefined || service === undefined ? undefined : { metric, service };
}

/** Finds the series behind evidence, of a whole telemetry at once: putting series together takes a while. */
export function metricSlices(telemetry: Telemetry): (evidence: Evidence) => EvidenceResult | undefined {
  const windows = windowsOf(telemetry.bundle);
  let known: readonly NamedSeries[] | undefined;
  return (evidence) => {
    const named = namedSeries(evidence);
    if (!named) return undefined;
    known ??= withOwnSeries(withStores(nameSeries(withoutTotals(telemetry.metrics)), telemetry));
    const found = known.find(
      ({ series }) => series.metric === named.metric && series.service === named.service,
    );
    if (!found) return undefined;
    // Half is for what the series is compared with or weighed by.
    const beside = besideSeries(found, known).slice(0, MOST_SHOWN);
    const room = beside.length ? MOST_SAMPLES / 2 : MOST_SAMPLES;
    const share = Math.floor(room / Math.max(1, beside.length));
    const [own] = parts(found.series, windows, room);
    if (!own?.times.length) return undefined;
    // What is compared at the same time is shown at the same times.
    const times = new Set(own.times);
    const series = [
      own,
      ...beside.flatMap(({ series: other }) =>
        parts(
          only(other, (time) => times.has(time)),
          windows,
          share,
        ).flatMap((same) => (same.times.length ? [same] : parts(other, windows, share))),
      ),
    ];
    return { series };
  };
}

/** Other versions or machines at the same time, or the requests by which latency and failures are weighed. */
function besideSeries({ series, meaning }: NamedSeries, known: readonly NamedSeries[]): NamedSeries[] {
  const ofService = known.filter(
    (other) => other.series.service === series.service && other.series !== series,
  );
  const isPart = ({ version, machine }: NamedSeries['meaning']): boolean =>
    (meaning.version === undefined ? machine : version) !== undefined;
  if (isPart(meaning)) {
    const sides = ofService.filter((other) => isPart(other.meaning));
    return [
      ...sides.filter(
        (other) =>
          other.meaning.base === meaning.base &&
          other.meaning.caller === meaning.caller &&
          other.meaning.callee === meaning.callee,
      ),
      // A share of what was asked of each.
      ...(meaning.signal === 'errors'
        ? sides.filter((other) => other.meaning.signal === 'requests' && other.meaning.side === 'server')
        : []),
    ];
  }
  if (meaning.signal !== 'latency' && meaning.signal !== 'errors' && meaning.signal !== 'availability')
    return [];
  return ofService
    .filter(
      (other) =>
        other.meaning.signal === 'requests' && other.meaning.side === 'server' && isWhole(other.meaning),
    )
    .slice(0, 1);
}

/** The two windows thinned apart, so that a long baseline leaves enough of the incident. */
function parts(series: MetricSeries, windows: Windows, most: number): MetricSeries[] {
  const [before, during] = [windows.baseline, windows.incident].map((window) => clip(series, window));
  if (!before || !during) return [];
  const room = Math.max(Math.floor(most / 2), most - during.times.length);
  const first = thinSeries(before, room);
  const second = thinSeries(during, most - first.times.length);
  const { service, metric } = series;
  return [
    {
      service,
      metric,
      times: [...first.times, ...second.times],
      values: [...first.values, ...second.values],
    },
  ];
}

const clip = (series: MetricSeries, window: readonly [number, number]): MetricSeries =>
  only(series, (time) => within(time, window));

function only(series: MetricSeries, wanted: (time: number) => boolean): MetricSeries {
  const inside = series.times.flatMap((time, index) => (wanted(time) ? [index] : []));
  return {
    ...series,
    times: inside.map((index) => series.times[index] as number),
    values: inside.map((index) => series.values[index] as number),
  };
}

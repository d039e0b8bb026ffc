import { type Finding, HALF, soft } from '../finding.ts';
import { moved } from '../words.ts';
import { incidentWindow, type Windows } from '../windows.ts';
import { LEAST_SIGMAS } from './measure-change.ts';
import { changeOf, foldOf } from './resource-findings.ts';
import { asFailures, type NamedSeries } from './service-impact.ts';

const HALF_NOVELTY = 1;
const HALF_FOLD = Math.log(2);

/** Latency and failures of single call edges speak against the callee, whichever end measured them. */
export function edgeMetricFindings(metrics: readonly NamedSeries[], windows: Windows): Finding[] {
  return metrics.flatMap((given) => {
    const named = asFailures(given);
    const { series, meaning } = named;
    const { caller, callee, signal } = meaning;
    if ((caller === undefined && callee === undefined) || (signal !== 'latency' && signal !== 'errors'))
      return [];
    const change = changeOf(named, windows);
    if (!change || change.sigmas < LEAST_SIGMAS || change.novelty < 1) return [];
    // Told as it was measured.
    const shown = named === given ? change : (changeOf(given, windows) ?? change);
    const service = callee ?? series.service;
    // A tail whose mean did not move is of a few calls only.
    const few = meaning.tail && isMeanCalm(named, metrics, windows) ? HALF : 1;
    return [
      {
        source: signal,
        service,
        strength: few * soft(change.novelty, HALF_NOVELTY) * soft(Math.log(foldOf(change)), HALF_FOLD),
        category: 'service_fault',
        evidence: {
          kind: 'metric',
          service,
          summary: moved(series, shown),
          query: `${series.metric}{service="${series.service}"}`,
          window: incidentWindow(windows),
          baseline: shown.before,
          during: shown.during,
        },
      } satisfies Finding,
    ];
  });
}

/** Whether the mean of the same calls is known and did not move: then the tail is of a few of them. */
function isMeanCalm(
  { series, meaning }: NamedSeries,
  metrics: readonly NamedSeries[],
  windows: Windows,
): boolean {
  const mean = metrics.find(
    (other) =>
      !other.meaning.tail &&
      other.meaning.signal === meaning.signal &&
      other.series.service === series.service &&
      other.meaning.caller === meaning.caller &&
      other.meaning.callee === meaning.callee &&
      other.meaning.version === meaning.version,
  );
  const change = mean && changeOf(mean, windows);
  return change !== undefined && (change.sigmas < LEAST_SIGMAS || change.novelty < 1);
}

/** Call edges that names of metrics tell. */
export const metricEdges = (metrics: readonly NamedSeries[]): { from: string; to: string }[] =>
  metrics.flatMap(({ series: { service }, meaning: { caller, callee } }) => [
    ...(caller === undefined ? [] : [{ from: caller, to: service }]),
    ...(callee === undefined ? [] : [{ from: service, to: callee }]),
  ]);

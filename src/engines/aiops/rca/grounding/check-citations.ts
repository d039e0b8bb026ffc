import type { Evidence, EvidenceResult, MetricSeries, Rca } from '#spec/data';
import { nameSeries, serviceImpacts } from '../metrics/service-impact.ts';
import { median, robustSpread } from '../stats.ts';
import { seconds } from '../windows.ts';

/** A stated number may differ from the stored samples by this share of it, beside what is usual for them. */
const TOLERANCE = 0.05;

/**
 * What is wrong with the citations of a diagnosis: an id that is not there, one without a stored result, numbers that the
 * stored samples do not show. Empty when every claim can be seen.
 */
export function checkCitations(rca: Rca, results: Readonly<Record<string, EvidenceResult>>): string[] {
  const known = new Map(rca.evidence.map((evidence) => [evidence.id, evidence]));
  const cited = [...new Set(rca.hypotheses.flatMap(({ supports, refutes }) => [...supports, ...refutes]))];
  return cited.flatMap((id) => {
    const evidence = known.get(id);
    if (!evidence) return [`${id} is cited and is no evidence of this diagnosis`];
    const result = results[id];
    if (!result) return [`${id} has no stored result: ${evidence.summary.en}`];
    return problemOf(evidence, result).map((problem) => `${id} ${problem}: ${evidence.summary.en}`);
  });
}

/** A conclusion with a citation that a reader could not see is none: nothing is done on it. */
export const concludeOnlyWhatIsShown = (rca: Rca, results: Readonly<Record<string, EvidenceResult>>): Rca =>
  rca.status === 'concluded' && checkCitations(rca, results).length
    ? { ...rca, status: 'inconclusive' }
    : rca;

function problemOf(evidence: Evidence, { series, lines, spans, changes }: EvidenceResult): string[] {
  if (evidence.kind === 'metric') return seriesProblem(evidence, series ?? []);
  if (evidence.kind === 'log' && !lines?.length) return ['shows no line'];
  if (evidence.kind === 'trace' && !spans?.length) return ['shows no span'];
  return evidence.kind === 'change' && !changes?.length ? ['shows no change'] : [];
}

/** Failures may be stated as shares while the series counts percent, or successes: either reading may show them. */
function seriesProblem(evidence: Evidence, [own, ...beside]: readonly MetricSeries[]): string[] {
  if (!own) return ['shows no series'];
  const { baseline, during } = evidence;
  if (baseline === undefined || during === undefined) return [];
  const since = seconds(evidence.at ?? evidence.window.start);
  const shown = readings(own, since).some((values) => {
    const [before, after] = apart(own.times, values, since);
    const rivals = beside.flatMap((other) => apart(other.times, other.values, since)[1]);
    return (
      (isMiddle(baseline, before) || (own.metric.includes('@') && isMiddle(baseline, rivals))) &&
      isWithin(during, after)
    );
  });
  return shown ? [] : [`does not show ${baseline} and then ${during}`];
}

function readings(series: MetricSeries, since: number): (readonly number[])[] {
  const windows = {
    baseline: [series.times[0] ?? 0, series.times.findLast((time) => time < since) ?? since],
    incident: [since, series.times.at(-1) ?? since],
    alert: since,
  } as const;
  return [series.values, ...serviceImpacts(nameSeries([series]), windows).map(({ level }) => level)];
}

function apart(
  times: readonly number[],
  values: readonly number[],
  since: number,
): [before: number[], after: number[]] {
  return [
    values.filter((_, index) => (times[index] ?? 0) < since),
    values.filter((_, index) => (times[index] ?? 0) >= since),
  ];
}

function isMiddle(stated: number, values: readonly number[]): boolean {
  if (!values.length) return false;
  const { spread } = robustSpread(values);
  return Math.abs(stated - median(values)) <= Math.max(spread, TOLERANCE * Math.abs(stated), Number.EPSILON);
}

function isWithin(stated: number, values: readonly number[]): boolean {
  if (!values.length) return false;
  const slack = Math.max(TOLERANCE * Math.abs(stated), Number.EPSILON);
  return stated >= Math.min(...values) - slack && stated <= Math.max(...values) + slack;
}

import type { Text } from '#kit/text';
import type { Evidence, EvidenceResult, MetricSeries, Rca } from '#spec/data';
import { nameSeries, serviceImpacts } from '../metrics/service-impact.ts';
import { median, robustSpread } from '../stats.ts';
import { seconds } from '../windows.ts';
import { citesUnknown, notShown, UNSEEN } from '../words.ts';

/** A stated number may differ from the stored samples by this share of it, beside what is usual for them. */
const TOLERANCE = 0.05;

/**
 * What is wrong with the citations of a diagnosis: an id that is not there, one without a stored result, numbers that the
 * stored samples do not show. Empty when every claim can be seen.
 */
export function checkCitations(
  { hypotheses, evidence }: Pick<Rca, 'hypotheses' | 'evidence'>,
  results: Readonly<Record<string, EvidenceResult>>,
): Text[] {
  const known = new Map(evidence.map((one) => [one.id, one]));
  const cited = [...new Set(hypotheses.flatMap(({ supports, refutes }) => [...supports, ...refutes]))];
  return cited.flatMap((id) => {
    const one = known.get(id);
    if (!one) return [citesUnknown(id)];
    const result = results[id];
    const problem = result ? problemOf(one, result) : UNSEEN.notStored;
    return problem ? [notShown(id, problem, one.summary)] : [];
  });
}

function problemOf(evidence: Evidence, { series, lines, spans, changes }: EvidenceResult): Text | undefined {
  if (evidence.kind === 'metric') return seriesProblem(evidence, series ?? []);
  if (evidence.kind === 'log' && !lines?.length) return UNSEEN.noLine;
  if (evidence.kind === 'trace' && !spans?.length) return UNSEEN.noSpan;
  return evidence.kind === 'change' && !changes?.length ? UNSEEN.noChange : undefined;
}

/** Failures may be stated as shares while the series counts percent, or successes: either reading may show them. */
function seriesProblem(evidence: Evidence, [own, ...beside]: readonly MetricSeries[]): Text | undefined {
  if (!own) return UNSEEN.noSeries;
  const { baseline, during } = evidence;
  if (baseline === undefined || during === undefined) return undefined;
  const since = seconds(evidence.at ?? evidence.window.start);
  const shown = readings(own, since).some((values) => {
    const [before, after] = apart(own.times, values, since);
    const rivals = beside.flatMap((other) => apart(other.times, other.values, since)[1]);
    return (
      (isMiddle(baseline, before) || (own.metric.includes('@') && isMiddle(baseline, rivals))) &&
      isWithin(during, after)
    );
  });
  return shown ? undefined : UNSEEN.otherNumbers(String(baseline), String(during));
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

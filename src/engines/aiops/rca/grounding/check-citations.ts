import type { Text } from '#kit/text';
import type { Evidence, EvidenceResult, MetricSeries, Rca } from '#spec/data';
import { readMetricName } from '../metrics/read-metric-name.ts';
import { nameSeries, serviceImpacts } from '../metrics/service-impact.ts';
import { comparableSides } from '../metrics/side-by-side.ts';
import { seconds } from '../windows.ts';
import { citesUnknown, notShown, UNSEEN } from '../words.ts';

/** A stated number may lie outside of the stored samples by this share of it: they were thinned. */
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

/** Failures may be stated as shares while the series counts them, or percent, or successes: any reading may show them. */
function seriesProblem(evidence: Evidence, [own, ...beside]: readonly MetricSeries[]): Text | undefined {
  if (!own) return UNSEEN.noSeries;
  const { baseline, during } = evidence;
  if (baseline === undefined || during === undefined) return undefined;
  const since = seconds(evidence.at ?? evidence.window.start);
  const rivals = beside.flatMap((other) =>
    readings(other, [own, ...beside], since).flatMap((reading) => apart(reading, since)[1]),
  );
  const shown = readings(own, beside, since).some((reading) => {
    const [before, after] = apart(reading, since);
    return (
      (isWithin(baseline, before) || (isPart(own) && isWithin(baseline, rivals))) && isWithin(during, after)
    );
  });
  return shown ? undefined : UNSEEN.otherNumbers(String(baseline), String(during));
}

/** Of one version or machine: told against the others of the same time. */
function isPart({ metric }: MetricSeries): boolean {
  const { version, machine } = readMetricName(metric);
  return version !== undefined || machine !== undefined;
}

type Reading = Readonly<Record<'times' | 'values', readonly number[]>>;

function readings(series: MetricSeries, beside: readonly MetricSeries[], since: number): Reading[] {
  const { times } = series;
  const windows = {
    baseline: [times[0] ?? 0, times.findLast((time) => time < since) ?? since],
    incident: [since, times.at(-1) ?? since],
    alert: since,
  } as const;
  const levels = serviceImpacts(nameSeries([series]), windows).map(({ level }) => ({ times, values: level }));
  const sides = comparableSides(nameSeries([series, ...beside])).map((named) => named.series);
  return [series, ...levels, ...sides.filter(({ metric }) => metric === series.metric)];
}

const apart = ({ times, values }: Reading, since: number): [before: number[], after: number[]] => [
  values.filter((_, index) => (times[index] ?? 0) < since),
  values.filter((_, index) => (times[index] ?? 0) >= since),
];

/** Which of the samples were compared, the stored ones do not tell; a middle of any of them lies between them. */
function isWithin(stated: number, values: readonly number[]): boolean {
  if (!values.length) return false;
  const slack = Math.max(TOLERANCE * Math.abs(stated), Number.EPSILON);
  return stated >= Math.min(...values) - slack && stated <= Math.max(...values) + slack;
}

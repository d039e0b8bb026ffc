import type { Telemetry } from '#spec/data';
import { alertKind } from './alert-kind.ts';
import { type CallGraph, callGraph } from './call-graph.ts';
import { type Finding, MAY_BE_CHANCE } from './finding.ts';
import { logBurstFindings, type LogPattern, logPatterns } from './logs/log-bursts.ts';
import { logFlowFindings } from './logs/log-flow.ts';
import { readLines } from './logs/read-lines.ts';
import { withoutTotals } from './metrics/counters.ts';
import { edgeMetricFindings, metricEdges } from './metrics/edge-metric-findings.ts';
import { impactFindings } from './metrics/impact-findings.ts';
import { withOwnSeries } from './metrics/own-series.ts';
import { resourceFindings } from './metrics/resource-findings.ts';
import { type NamedSeries, nameSeries, serviceImpacts } from './metrics/service-impact.ts';
import { silenceFindings } from './metrics/silence-findings.ts';
import { storeFindings, storeNames, withStores } from './metrics/store-findings.ts';
import { beyondSurge, type TrafficSurge, trafficSurge } from './metrics/traffic-surge.ts';
import { machineSides, versionFindings, type WorseSide, worseVersions } from './metrics/side-by-side.ts';
import { explainedBy } from './places/explained.ts';
import { saidOf, type SilentParties, silentParties, worseParties } from './places/silent-parties.ts';
import { machineFindings, type SuspectMachine, suspectMachines } from './places/suspect-machines.ts';
import { median } from './stats.ts';
import type { OnsetChance } from './series/onset-chance.ts';
import { readShifts, type ReadShift, tensOf } from './series/read-shifts.ts';
import { errorFindings } from './traces/error-findings.ts';
import { machineSpans } from './traces/machine-spans.ts';
import { spanTimes } from './traces/span-times.ts';
import { timeFindings } from './traces/time-findings.ts';
import { indexTraces, type TraceIndex } from './traces/trace-index.ts';
import { type Windows, windowsOf } from './windows.ts';

/** A series that left its range, and since when. */
export interface OnsetSeries {
  readonly service: string;
  readonly metric: string;
  /** The middle of when it may have begun. */
  readonly at: number;
  readonly onset: OnsetChance;
  readonly q: number;
  readonly before: number;
  readonly during: number;
}

/** Everything that was seen, before anything is concluded. */
export interface Observations {
  readonly telemetry: Telemetry;
  readonly windows: Windows;
  readonly graph: CallGraph;
  readonly metrics: readonly NamedSeries[];
  readonly findings: readonly Finding[];
  readonly patterns: readonly LogPattern[];
  readonly versions: readonly WorseSide[];
  readonly machines: readonly SuspectMachine[];
  readonly silent: SilentParties;
  readonly onsets: readonly OnsetSeries[];
  readonly surge: TrafficSurge | undefined;
  readonly shifts: readonly ReadShift[];
}

export function observe(telemetry: Telemetry): Observations {
  const { bundle, spans, logs } = telemetry;
  const windows = windowsOf(bundle);
  const metrics = withOwnSeries(
    withStores(nameSeries(withoutTotals(telemetry.metrics).toSorted(byName)), telemetry),
  );
  const traces = indexTraces(spans, windows);
  const edges = [...(telemetry.topology?.edges ?? []), ...metricEdges(metrics), ...unseenEdges(traces)];
  const graph = callGraph({ edges }, spans);
  const silent = silentParties(telemetry, graph, storeNames(spans));
  const impacts = serviceImpacts(metrics, windows);
  const versions = worseVersions(metrics, windows);
  const lines = readLines(logs, windows);
  const patterns = logPatterns(lines);
  const surge = trafficSurge(metrics, graph, windows);
  const shifts = readShifts(metrics, windows);
  const options = { alertKind: alertKind(bundle), alertService: bundle.service, graph };
  const rates = new Map(
    shifts.map(({ named: { series }, q }) => [`${series.metric}{service="${series.service}"}`, q]),
  );
  const found = beyondSurge(
    [
      ...resourceFindings(metrics, windows),
      ...impactFindings(impacts, 'latency', windows, options),
      ...impactFindings(impacts, 'errors', windows, options),
      ...edgeMetricFindings(metrics, windows),
      ...storeFindings(metrics, windows),
      ...silenceFindings(metrics, windows),
      ...versionFindings(versions, windows),
      ...timeFindings(spanTimes(traces), windows),
      ...errorFindings(traces, windows),
      ...logFlowFindings(lines, traces, graph, windows),
      ...logBurstFindings(patterns, graph, windows),
    ],
    surge,
  );
  const parties = worseParties(found, silent, traces);
  const machines = suspectMachines(
    [...machineSides(metrics, windows), ...machineSpans(traces, windows)],
    found,
  );
  return {
    telemetry,
    windows,
    graph,
    metrics,
    patterns,
    versions,
    machines,
    silent,
    onsets: onsetsOf(shifts, windows),
    surge,
    shifts,
    findings: [
      ...explainedBy(saidOf(parties, found, graph), [...parties, ...machines]),
      ...machineFindings(machines),
    ]
      .map((finding) => weighed(finding, rates))
      .toSorted(byPlace),
  };
}

/** Calls to whoever sends no spans. */
const unseenEdges = ({ spans }: TraceIndex): { from: string; to: string }[] =>
  spans.flatMap(({ span, unseen }) => (unseen ? [{ from: span.service, to: unseen.callee }] : []));

const byName = (
  one: { service: string; metric: string },
  other: { service: string; metric: string },
): number => {
  const [left, right] = [`${one.service}\n${one.metric}`, `${other.service}\n${other.metric}`];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** An order of their own, so that the order of what was read does not show. */
const byPlace = (one: Finding, other: Finding): number => {
  const [left, right] = [one, other].map(
    ({ service, source, evidence }) => `${service}\n${source}\n${evidence.summary.en}`,
  );
  return (left ?? '') < (right ?? '') ? -1 : 1;
};

/** What may be chance counts for as much less: one in ten is half of what it says. */
function weighed(finding: Finding, rates: ReadonlyMap<string, number>): Finding {
  const chance = finding.chance ?? rates.get(finding.evidence.query);
  if (chance === undefined) return finding;
  const tens = tensOf(chance);
  return { ...finding, strength: (finding.strength * tens) / (tens + 1) };
}

function onsetsOf(shifts: readonly ReadShift[], windows: Windows): OnsetSeries[] {
  return shifts
    .filter(({ q }) => q <= MAY_BE_CHANCE)
    .map(({ named: { series }, onset, q }) => {
      const { times, values } = series;
      const level = (from: number, to: number): number =>
        median(values.filter((_, at) => (times[at] as number) >= from && (times[at] as number) <= to));
      return {
        service: series.service,
        metric: series.metric,
        at: onset.middle,
        onset,
        q,
        before: level(windows.baseline[0], Math.min(onset.middle, windows.baseline[1])),
        during: level(onset.middle, windows.incident[1]),
      };
    });
}

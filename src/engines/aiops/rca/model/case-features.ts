import { type SuspectChange, suspectChanges } from '../changes/suspect-changes.ts';
import type { Finding } from '../finding.ts';
import { readMetricName } from '../metrics/read-metric-name.ts';
import { asFailures } from '../metrics/service-impact.ts';
import type { Observations } from '../observe.ts';
import { type ReadShift, tensOf } from '../series/read-shifts.ts';
import { type OutsideCause, outsideCauses } from '../verdict/outside-causes.ts';
import type { ChangeFeature, IncidentFeature, PlaceFeature } from './parameters.ts';

export interface PlaceCase {
  readonly service: string;
  readonly findings: readonly Finding[];
  readonly features: Readonly<Partial<Record<PlaceFeature, number>>>;
  /** False where the alerting service is known not to need it. */
  readonly needed: boolean;
}

export interface ChangeCase {
  readonly suspect: SuspectChange;
  readonly features: Readonly<Record<ChangeFeature, number>>;
  /** Places, by their number, that run it, and that call these or are called by them. */
  readonly at: readonly number[];
  readonly beside: readonly number[];
}

/** Everything that the model is asked about one incident. */
export interface CaseFeatures {
  readonly places: readonly PlaceCase[];
  readonly changes: readonly ChangeCase[];
  /** Changes that cannot be it. */
  readonly excluded: readonly SuspectChange[];
  /** The logarithm of how many times as much traffic there was. */
  readonly surge: number | undefined;
  readonly named: readonly OutsideCause[];
  readonly incident: Readonly<Omit<Record<IncidentFeature, number>, 'place' | 'surge'>>;
  /** What of the alert can be looked up: its series, its service, nothing. */
  readonly alertIs: 'series' | 'service' | 'vague';
}

/** Of a thousand nothings one is as much: evidence of two tens is half of what it can say. */
const HALF_TENS = 2;
const soft = (tens: number): number => tens / (tens + HALF_TENS);
/** The share of what the symptoms say from which on words count. */
const FEW_WORDS = 0.01;

export function caseFeatures(seen: Observations): CaseFeatures {
  const { telemetry, graph, shifts, surge } = seen;
  const { service: alerting, metric } = telemetry.bundle;
  const places = placesOf(seen);
  const indexOf = new Map(places.map(({ service }, at) => [service, at]));
  const neighbours = (service: string): readonly string[] => [
    ...(graph.callees.get(service) ?? []),
    ...(graph.callers.get(service) ?? []),
  ];
  const indexed = (services: readonly string[]): number[] => [
    ...new Set(services.flatMap((service) => indexOf.get(service) ?? [])),
  ];
  const suspects = suspectChanges(seen);
  const possible = suspects.filter(({ refuted }) => refuted === undefined);
  const said = possible.map(({ content }) => Math.min(1, content.covered));
  const allSaid = said.reduce((sum, one) => sum + one, 0);
  const alert = alertTens(shifts, alerting, metric);
  const named = outsideCauses(seen);
  return {
    places,
    changes: possible.map((suspect, index) => {
      const at = indexed(suspect.effective.services);
      const beside = indexed(suspect.effective.services.flatMap(neighbours)).filter(
        (place) => !at.includes(place),
      );
      return {
        suspect,
        features: changeFeatures(suspect, usualWords(allSaid - (said[index] as number), said.length)),
        at,
        beside,
      };
    }),
    excluded: suspects.filter(({ refuted }) => refuted !== undefined),
    surge: surge && Math.log(surge.fold),
    named,
    incident: {
      alert: Math.log1p(alert.tens),
      named: named.length ? 1 : 0,
    },
    alertIs: alert.is,
  };
}

function placesOf({ telemetry, graph, findings, shifts, machines }: Observations): PlaceCase[] {
  const { service: alerting } = telemetry.bundle;
  const known = alerting !== undefined && (graph.callees.has(alerting) || graph.callers.has(alerting));
  const reach = known ? graph.reach(alerting) : undefined;
  const services = new Set([
    ...[telemetry.metrics, telemetry.logs, telemetry.spans].flatMap((list) =>
      list.map(({ service }) => service),
    ),
    ...findings.map(({ service }) => service),
    ...[...graph.callees].flatMap(([caller, callees]) => [caller, ...callees]),
  ]);
  const found = Map.groupBy(findings, ({ service }) => service);
  const on = new Map(machines.map(({ name, shares }) => [name, [...shares.keys()]]));
  const isNeeded = (service: string): boolean =>
    reach === undefined || [service, ...(on.get(service) ?? [])].some((one) => reach.has(one));
  const unnamed = Map.groupBy(
    shifts.filter(({ named: { meaning } }) => meaning.signal === 'other'),
    ({ named }) => named.series.service,
  );
  return [...services].sort().map((service) => {
    const own = found.get(service) ?? [];
    const features: Partial<Record<PlaceFeature, number>> = {};
    // Of each source the strongest finding counts: more of the same is no new reason.
    for (const { source, strength } of own) features[source] = Math.max(features[source] ?? 0, strength);
    const tens = Math.max(0, ...(unnamed.get(service) ?? []).map(({ q }) => tensOf(q)));
    return {
      service,
      findings: own,
      features: { ...features, unnamed: soft(tens) },
      needed: isNeeded(service),
    };
  });
}

/** What the other changes speak of tells this one from none of them; one that says next to nothing is always among them. */
const usualWords = (ofOthers: number, changes: number): number => (ofOthers + FEW_WORDS) / changes;

function changeFeatures({ effective, content, exact }: SuspectChange, usual: number): ChangeCase['features'] {
  const words = Math.log((Math.min(1, content.covered) + FEW_WORDS) / (usual + FEW_WORDS));
  return {
    // Of a change whose content nobody recorded, no word is missing.
    words: effective.nature.diff || effective.nature.replaced.length ? words : Math.max(0, words),
    tie: exact === undefined ? 0 : 1,
    forward: effective.restores ? -1 : 0,
    risk: Math.log(effective.nature.risk),
  };
}

/** The alert's own series is one question that was asked before looking; what its service has of the same kind, or of harm, is a few. */
function alertTens(
  shifts: readonly ReadShift[],
  service: string | undefined,
  metric: string | undefined,
): { tens: number; is: CaseFeatures['alertIs'] } {
  const own = shifts.filter(({ named }) => named.series.service === service);
  const named = own.find(({ named: { series } }) => series.metric === metric);
  if (named) return { tens: felt(named) * tensOf(named.shift.p), is: 'series' };
  if (service !== undefined && own.length) {
    const about = metric === undefined ? undefined : readMetricName(metric).signal;
    const [asked = own] = [
      own.filter(({ named: { meaning } }) => meaning.signal === about),
      own.filter(({ named: { meaning } }) => HARM.has(meaning.signal)),
    ].filter((list) => list.length);
    const tens = asked.map((one) => felt(one) * tensOf(Math.min(1, one.shift.p * asked.length)));
    return { tens: Math.max(...tens), is: 'service' };
  }
  return { tens: 0, is: 'vague' };
}

/** However sure it is: a hundredth more than usual is half of being felt. */
const HALF_FELT = Math.log(1.01);
export function felt({ named, shift }: Pick<ReadShift, 'named' | 'shift'>): number {
  // A hundredth less that goes well is many times more that fails.
  const levels = asFailures({ ...named, series: { ...named.series, values: [shift.before, shift.during] } });
  const [before = 0, during = 0] = levels.series.values;
  if (during === before) return 0;
  const least = Math.abs(during - before) / LARGEST_FOLD;
  const fold = Math.abs(Math.log((Math.abs(during) + least) / (Math.abs(before) + least)));
  return fold / (fold + HALF_FELT);
}
/** From nothing to something is as much as any fold. */
const LARGEST_FOLD = 1000;

const HARM: ReadonlySet<string> = new Set(['latency', 'errors', 'availability']);

import { sideOf } from '../traces/trace-index.ts';
import type { Observations } from '../observe.ts';
import type { SuspectService } from '../verdict/rank-services.ts';
import { readMetricName, type Signal } from '../metrics/read-metric-name.ts';
import { effectiveChanges } from './effective-change.ts';
import { matchContent } from './match-content.ts';
import { type ChangeContext, rankChanges, type SuspectChange } from './rank-changes.ts';
import { symptomTerms } from './symptom-terms.ts';

/** How near a service is to the fault: the alerting one, one with symptoms, one that the alerting needs, any. */
const NEAR = { alerting: 1, symptomatic: 0.8, needed: 0.5, other: 0.2 } as const;
/** Whoever alerts, and has less than this share of what speaks against a service that it calls, merely suffers from it. */
const SUFFERS_BELOW = 0.35;
/** What callers of a service notice. Its resources also move without harm, as when a version of it goes away. */
const SUFFERED: ReadonlySet<Signal> = new Set(['latency', 'errors', 'availability', 'restarts']);
/** In seconds: clocks of deploys and metrics differ, and a sample may stand for what came after its time. */
const LEAST_TOLERANCE = 60;

/** The changes of an incident, the likeliest cause first. */
export function suspectChanges(seen: Observations, suspects: readonly SuspectService[]): SuspectChange[] {
  const { telemetry, windows, onsets, patterns } = seen;
  const changes = effectiveChanges(telemetry.changes ?? []);
  if (!changes.length) return [];
  const symptoms = symptomTerms({
    bundle: telemetry.bundle,
    patterns,
    metrics: onsets.map(({ metric }) => metric),
    failedSpans: telemetry.spans.filter(({ error, start }) => error && sideOf(start, windows) === 'during'),
    services: [
      ...new Set([...telemetry.metrics, ...telemetry.logs, ...telemetry.spans].map(({ service }) => service)),
    ],
  });
  return rankChanges(changes, matchContent(changes, symptoms), contextOf(seen, suspects));
}

function contextOf(seen: Observations, suspects: readonly SuspectService[]): ChangeContext {
  const { telemetry, graph, onsets } = seen;
  const { service: alerting } = telemetry.bundle;
  const best = suspects[0]?.score ?? 0;
  const scores = new Map(suspects.map(({ service, score }) => [service, best ? score / best : 0]));
  const culprit = suspects[0]?.service;
  const suffersOnly = (service: string): boolean =>
    culprit !== undefined &&
    culprit !== service &&
    graph.reach(service).has(culprit) &&
    !graph.reach(culprit).has(service) &&
    (scores.get(service) ?? 0) < SUFFERS_BELOW;
  const needed = alerting === undefined ? new Set<string>() : graph.reach(alerting);
  return {
    ...firstSymptom(seen),
    onsets,
    complaints: seen.patterns.filter(({ bad, counts, expected }) => bad && counts.during > 2 * expected),
    worse: seen.versions,
    nearness: (service) => {
      if (service === alerting) return suffersOnly(service) ? NEAR.needed : NEAR.alerting;
      const place = onsets.some((series) => series.service === service)
        ? NEAR.symptomatic
        : needed.has(service)
          ? NEAR.needed
          : NEAR.other;
      return Math.max(place, scores.get(service) ?? 0);
    },
  };
}

/** When it began: by the alert's own metric, else by what its service did to callers, by its service, by any series, by complaints in logs, by the alert. */
function firstSymptom({ telemetry, windows, onsets, patterns, metrics }: Observations): {
  onset: number;
  tolerance: number;
} {
  const { bundle } = telemetry;
  const own = onsets.filter(({ service }) => service === bundle.service);
  const exact = own.filter(({ metric }) => metric === bundle.metric);
  const suffered = own.filter(({ metric }) => SUFFERED.has(readMetricName(metric).signal));
  const known = [exact, suffered, own, onsets].find((list) => list.length);
  const complaints = patterns.flatMap(({ bad, counts, first }) =>
    bad && !counts.before && first !== undefined ? [first] : [],
  );
  const onset = known
    ? Math.min(...known.map(({ at }) => at))
    : complaints.length
      ? Math.min(...complaints)
      : windows.alert;
  const sampled = metrics.find(({ series }) => series.service === bundle.service)?.series.times ?? [];
  const step = sampled.length > 1 ? ((sampled.at(-1) ?? 0) - (sampled[0] ?? 0)) / (sampled.length - 1) : 0;
  return { onset, tolerance: Math.max(LEAST_TOLERANCE, step) };
}

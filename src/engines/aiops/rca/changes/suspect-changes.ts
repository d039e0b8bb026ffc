import type { Text } from '#kit/text';
import { MAY_BE_CHANCE } from '../finding.ts';
import type { Observations, OnsetSeries } from '../observe.ts';
import { tensOf } from '../series/read-shifts.ts';
import { sideOf } from '../traces/trace-index.ts';
import { cameAfter, IDLE_CHANGE, takenBack } from '../words.ts';
import { type EffectiveChange, effectiveChanges } from './effective-change.ts';
import { type ContentMatch, matchContent } from './match-content.ts';
import { exactTie } from './exact-tie.ts';
import { symptomTerms } from './symptom-terms.ts';

/** A change with everything that is known of its part in an incident. */
export interface SuspectChange {
  readonly effective: EffectiveChange;
  readonly content: ContentMatch;
  /** How likely it took effect before the symptoms began. */
  readonly before: number;
  /** The same, and how soon: of symptoms that follow at once everything, of later ones less. */
  readonly timely: number;
  /** Seconds from the change to the middle of when they began. */
  readonly delay: number;
  /** What ties it to the symptoms exactly: a gauge moved between the very values that it replaced, or its version. */
  readonly exact: Text | undefined;
  /** Why it cannot be, if it cannot. */
  readonly refuted: Text | undefined;
}

/** In seconds. Clocks of deploys and of metrics differ by as much. */
export const MINUTE = 60;
/** What follows within minutes follows at once. */
const AT_ONCE = 5 * MINUTE;
/** Nobody knows how long a fault takes to show: every scale of time is as likely. */
const promptness = (delay: number): number => 1 / (1 + Math.max(0, delay) / AT_ONCE);
const NO_MATCH: ContentMatch = { total: 0, covered: 0, terms: [] };

/** The changes of an incident, in the order in which they were given. */
export function suspectChanges(seen: Observations): SuspectChange[] {
  const { telemetry, windows, onsets, patterns } = seen;
  const changes = effectiveChanges(telemetry.changes ?? []);
  if (!changes.length) return [];
  const symptoms = symptomTerms({
    bundle: telemetry.bundle,
    patterns,
    moved: onsets.map(({ metric }) => metric),
    metrics: telemetry.metrics.map(({ metric }) => metric),
    failedSpans: telemetry.spans.filter(({ error, start }) => error && sideOf(start, windows) === 'during'),
    services: [
      ...new Set([...telemetry.metrics, ...telemetry.logs, ...telemetry.spans].map(({ service }) => service)),
    ],
  });
  const contents = matchContent(changes, symptoms);
  return changes.map((effective) => {
    const { before, timely, delay } = timing(effective, seen);
    return {
      effective,
      content: contents.get(effective) ?? NO_MATCH,
      before,
      timely,
      delay,
      exact: exactTie(effective, seen),
      refuted: refutation(effective, before, delay),
    };
  });
}

function refutation({ at, until, nature }: EffectiveChange, before: number, delay: number): Text | undefined {
  if (nature.idle) return IDLE_CHANGE;
  if (before < MAY_BE_CHANCE) return cameAfter(Math.round(-delay / MINUTE));
  if (until !== undefined && until <= at + delay) return takenBack(Math.round((at + delay - until) / MINUTE));
  return undefined;
}

/**
 * Against the symptoms of its own services where they have any, else of the alerting one, else of all; against the alert
 * where no series left its range. Each series has its say by how sure it is, and none has a veto.
 */
function timing(
  { at, services }: EffectiveChange,
  { onsets, patterns, telemetry, windows }: Observations,
): Pick<SuspectChange, 'before' | 'timely' | 'delay'> {
  const alerting = telemetry.bundle.service;
  const [known = []] = [
    onsets.filter(({ service }) => services.includes(service)),
    onsets.filter(({ service }) => service === alerting),
    onsets,
  ].filter((list) => list.length);
  const total = known.reduce((sum, { q }) => sum + tensOf(q), 0);
  if (!total) {
    const complaints = patterns.flatMap(({ bad, counts, first }) =>
      bad && !counts.before && first !== undefined ? [first] : [],
    );
    const onset = complaints.length ? Math.min(...complaints) : windows.alert;
    const before = at <= onset + MINUTE ? 1 : 0;
    return { before, timely: before * promptness(onset - at), delay: onset - at };
  }
  const average = (of: (series: OnsetSeries) => number): number =>
    known.reduce((sum, series) => sum + tensOf(series.q) * of(series), 0) / total;
  const before = average(({ onset }) => onset.since(at - MINUTE));
  const timely = average((series) => series.onset.since(at - MINUTE) * promptness(series.at - at));
  let below = 0;
  const middle = known
    .toSorted((one, other) => one.at - other.at)
    .find(({ q }) => (below += tensOf(q)) >= total / 2);
  return { before, timely, delay: (middle?.at ?? windows.alert) - at };
}

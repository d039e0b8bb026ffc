import type { CauseCategory } from '#spec/data';
import type { FoundEvidence } from '../finding.ts';
import { logEvidence, type LogPattern } from '../logs/log-bursts.ts';
import { isWhole } from '../metrics/read-metric-name.ts';
import type { Observations } from '../observe.ts';
import { firstCause, nameCategory } from './name-category.ts';
import { onsetEvidence } from './onset-evidence.ts';
import { type SuspectService, weightOf } from './rank-services.ts';

/** Something that tells of what kind a fault of a service is. */
interface KindClue {
  readonly category: CauseCategory;
  /** 0 to 1. */
  readonly weight: number;
  readonly from: 'words' | 'alert' | 'counter' | 'finding';
  readonly evidence?: FoundEvidence;
}

/** The kind of a fault, and what tells it best. */
export interface ToldKind {
  readonly category: CauseCategory;
  readonly evidence?: FoundEvidence;
  readonly weight: number;
}

/**
 * A program knows best what it lacks; what an alert or a counter is called tells half as much. Kinds that are told half as
 * well as the best may be what brought the best about; told worse than half of what an alert tells, a kind is a guess.
 */
const HALF = 1 / 2;

/** The kind that is told best; of several that are told nearly as well, the one that brings the others about. */
export function toldKind(suspect: SuspectService, seen: Observations): ToldKind | undefined {
  const clues = [
    ...wordClues(suspect.service, seen),
    ...alertClues(suspect.service, seen),
    ...counterClues(suspect.service, seen),
    ...findingClues(suspect),
  ];
  const votes = new Map<CauseCategory, number>();
  for (const [key, group] of Map.groupBy(clues, ({ category, from }) => `${category}\n${from}`)) {
    const category = key.split('\n', 1)[0] as CauseCategory;
    const weight = Math.min(1, Math.max(...group.map((clue) => clue.weight)));
    votes.set(category, (votes.get(category) ?? 0) + weight);
  }
  const best = Math.max(0, ...votes.values());
  const [category] = [...votes]
    .filter(([, weight]) => weight >= Math.max(HALF, best) * HALF)
    .map(([told]) => told)
    .toSorted(firstCause);
  if (category === undefined) return undefined;
  const [telling] = clues
    .filter((clue) => clue.category === category && clue.evidence)
    .toSorted((one, other) => other.weight - one.weight);
  return {
    category,
    weight: votes.get(category) ?? 0,
    ...(telling?.evidence ? { evidence: telling.evidence } : {}),
  };
}

/** What the service complains of more than before, each kind by its share of all; what it says of another tells of that one. */
function wordClues(service: string, { patterns, graph, windows }: Observations): KindClue[] {
  const worse = patterns.filter(
    (pattern) => pattern.service === service && pattern.bad && pattern.counts.during > 2 * pattern.expected,
  );
  const excess = ({ counts, expected }: LogPattern): number => counts.during - expected;
  const total = worse.reduce((sum, pattern) => sum + excess(pattern), 0);
  const others = [...new Set([...(graph.callees.get(service) ?? []), ...(graph.callers.get(service) ?? [])])];
  const named = worse.flatMap((pattern) => {
    const category = nameCategory([pattern.sample], 'service_fault');
    const isOwn = category !== 'service_fault' && !others.some((other) => pattern.sample.includes(other));
    return isOwn ? [{ category, pattern, said: excess(pattern) }] : [];
  });
  return [...Map.groupBy(named, ({ category }) => category)].flatMap(([category, group]) => {
    const said = group.reduce((sum, entry) => sum + entry.said, 0);
    const [loudest] = group.toSorted((one, other) => other.said - one.said);
    if (!loudest || total <= 0) return [];
    const evidence = logEvidence(loudest.pattern, windows);
    return [{ category, weight: said / total, from: 'words', evidence } satisfies KindClue];
  });
}

/** What the alert says, where it is about this very service. */
function alertClues(service: string, { telemetry: { bundle } }: Observations): KindClue[] {
  if (bundle.service !== service) return [];
  const said = [bundle.title, bundle.labels['alertname'] ?? '', ...Object.values(bundle.annotations)];
  const category = nameCategory(said, 'service_fault');
  return category === 'service_fault' ? [] : [{ category, weight: HALF, from: 'alert' }];
}

/** Counters of failures whose name tells a kind. */
function counterClues(service: string, seen: Observations): KindClue[] {
  return seen.onsets.flatMap((onset) => {
    if (onset.service !== service || onset.during <= onset.before) return [];
    const { meaning } =
      seen.metrics.find(({ series }) => series.service === service && series.metric === onset.metric) ?? {};
    const category = nameCategory([onset.metric], 'service_fault');
    if (meaning?.signal !== 'errors' || !isWhole(meaning) || category === 'service_fault') return [];
    return [{ category, weight: HALF, from: 'counter', evidence: onsetEvidence(onset, seen) }];
  });
}

function findingClues({ findings }: SuspectService): KindClue[] {
  const [strongest] = findings;
  if (!strongest) return [];
  return findings.flatMap((finding) => {
    if (finding.category === 'service_fault') return [];
    const weight = weightOf(finding) / Math.max(weightOf(strongest), Number.MIN_VALUE);
    return [{ category: finding.category, weight, from: 'finding', evidence: finding.evidence }];
  });
}

import type { CauseCategory } from '#spec/data';
import type { FoundEvidence } from '../finding.ts';
import { logEvidence, type LogPattern } from '../logs/log-bursts.ts';
import { isWhole } from '../metrics/read-metric-name.ts';
import { changeOf } from '../metrics/resource-findings.ts';
import type { Observations } from '../observe.ts';
import { moved } from '../words.ts';
import { incidentWindow } from '../windows.ts';
import { nameCategory } from './name-category.ts';
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

/** A program knows best what it lacks. What it says of another service tells of that one. */
const WORDS_ABOUT_OTHERS = 0.2;
const ALERT_WEIGHT = 0.5;
const COUNTER_WEIGHT = 0.6;
/** A finding that is not even half as strong as the strongest of its service is an effect as easily as a cause. */
const TELLING_SHARE = 0.5;
/** Kinds that are told half as well as the best may be what brought the best about. */
const RIVAL_SHARE = 0.5;
/** Told worse than this, a kind is a guess. */
const LEAST_VOTE = 0.25;
const LEAST_SIGMAS = 3;

/** What brings about what: memory that runs out slows queries, slow queries empty pools, empty pools end in time-outs. */
const FIRST_CAUSES: readonly CauseCategory[] = [
  'deploy_regression',
  'certificate',
  'disk',
  'resource_exhaustion',
  'crash_loop',
  'hot_key',
  'database_latency',
  'connection_pool',
  'rate_limit',
  'network_delay',
  'dependency_timeout',
];

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
    .filter(([, weight]) => weight >= LEAST_VOTE && weight >= best * RIVAL_SHARE)
    .map(([told]) => told)
    .toSorted((one, other) => FIRST_CAUSES.indexOf(one) - FIRST_CAUSES.indexOf(other));
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

/** What the service complains of more than before, each kind by its share of all new complaints. */
function wordClues(service: string, { patterns, graph, windows }: Observations): KindClue[] {
  const worse = patterns.filter(
    (pattern) => pattern.service === service && pattern.bad && pattern.counts.during > 2 * pattern.expected,
  );
  const excess = ({ counts, expected }: LogPattern): number => counts.during - expected;
  const total = worse.reduce((sum, pattern) => sum + excess(pattern), 0);
  const others = [...new Set([...(graph.callees.get(service) ?? []), ...(graph.callers.get(service) ?? [])])];
  const named = worse.flatMap((pattern) => {
    const category = nameCategory([pattern.sample], 'service_fault');
    const about = others.some((other) => pattern.sample.includes(other)) ? WORDS_ABOUT_OTHERS : 1;
    return category === 'service_fault' ? [] : [{ category, pattern, said: about * excess(pattern) }];
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
  const category = nameCategory(
    said.map((text) => text.slice(0, 400)),
    'service_fault',
  );
  return category === 'service_fault' ? [] : [{ category, weight: ALERT_WEIGHT, from: 'alert' }];
}

/** Counters of one kind of trouble. */
const COUNTERS: readonly (readonly [RegExp, CauseCategory])[] = [
  [/pool.*(?:timeout|exhaust)|(?:timeout|exhaust).*pool/, 'connection_pool'],
  [/rate_?limit|throttled_requests|too_many_requests|(?:^|_)429(?:_|$)/, 'rate_limit'],
  [/(?:^|_)(?:504|408)(?:_|$)|timeouts?(?:_|$)|deadline/, 'dependency_timeout'],
  [/oom/, 'resource_exhaustion'],
];

function counterClues(service: string, { metrics, windows }: Observations): KindClue[] {
  return metrics.flatMap((named) => {
    const { series, meaning } = named;
    if (series.service !== service || meaning.signal !== 'errors' || !isWhole(meaning)) return [];
    const name = meaning.words.join('_');
    const category = COUNTERS.find(([pattern]) => pattern.test(name))?.[1];
    const change = category && changeOf(named, windows);
    if (!change || change.sigmas < LEAST_SIGMAS || change.novelty < 1) return [];
    const evidence = {
      kind: 'metric',
      service,
      summary: moved(series, change),
      query: `${series.metric}{service="${service}"}`,
      window: incidentWindow(windows),
      baseline: change.before,
      during: change.during,
    } as const;
    return [{ category, weight: COUNTER_WEIGHT, from: 'counter', evidence } satisfies KindClue];
  });
}

function findingClues({ findings }: SuspectService): KindClue[] {
  const [strongest] = findings;
  if (!strongest) return [];
  return findings.flatMap((finding) => {
    if (finding.category === 'service_fault') return [];
    const share = weightOf(finding) / Math.max(weightOf(strongest), Number.MIN_VALUE);
    const weight = share >= TELLING_SHARE ? share : share * TELLING_SHARE;
    return [{ category: finding.category, weight, from: 'finding', evidence: finding.evidence }];
  });
}

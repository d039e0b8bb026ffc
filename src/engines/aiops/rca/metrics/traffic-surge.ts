import type { Text } from '#kit/text';
import type { CallGraph } from '../call-graph.ts';
import { type Finding, type FindingSource, soft } from '../finding.ts';
import type { Windows } from '../windows.ts';
import { surged } from '../words.ts';
import { isWhole } from './read-metric-name.ts';
import { LEAST_SIGMAS } from './measure-change.ts';
import { changeOf, foldOf } from './resource-findings.ts';
import type { NamedSeries } from './service-impact.ts';

export interface TrafficSurge {
  readonly summary: Text;
  readonly service: string;
  readonly metric: string;
  readonly before: number;
  readonly during: number;
  readonly fold: number;
}

/** Half as much again as usual, and more than the baseline practically ever had. */
const LEAST_FOLD = 1.5;
/** Where nobody knows who calls whom, most services must have more to do. */
const LEAST_SHARE = 0.7;

/** More requests from outside: at services that nobody inside calls, or at most services where that is not known. */
export function trafficSurge(
  metrics: readonly NamedSeries[],
  graph: CallGraph,
  windows: Windows,
): TrafficSurge | undefined {
  const counted = metrics.filter(
    ({ meaning }) => meaning.signal === 'requests' && meaning.side === 'server' && isWhole(meaning),
  );
  const entries = counted.filter(({ series }) => !graph.callers.has(series.service));
  const asked = graph.callers.size ? entries : counted;
  const surges = asked.flatMap(({ series, meaning }) => {
    const change = changeOf({ series, meaning: { ...meaning, bad: 'up' } }, windows);
    if (!change || change.sigmas < LEAST_SIGMAS || change.novelty < 1) return [];
    const fold = foldOf(change);
    return fold < LEAST_FOLD ? [] : [{ series, change, fold }];
  });
  if (!surges.length || surges.length < asked.length * LEAST_SHARE) return undefined;
  const [largest] = surges.toSorted(
    (one, other) => other.fold - one.fold || (one.series.service < other.series.service ? -1 : 1),
  );
  if (!largest) return undefined;
  const { series, change, fold } = largest;
  return {
    service: series.service,
    metric: series.metric,
    before: change.before,
    during: change.during,
    fold,
    summary: surged(series, change, fold),
  };
}

/** Sources that tell of time: whoever has more to do takes a little longer for each. */
const TIMES: ReadonlySet<FindingSource> = new Set(['latency', 'self_time', 'call_edge', 'store']);
/** Four times as slow is half of what more traffic leaves unexplained. */
const HALF_SLOWER = Math.log(4);

/** Under a surge a small delay is the surge's; what became many times slower, or fails, is still a service's own. */
export function beyondSurge(
  findings: readonly Finding[],
  surge: TrafficSurge | undefined,
): readonly Finding[] {
  if (!surge) return findings;
  return findings.map((finding) => {
    const { baseline = 0, during = 0 } = finding.evidence;
    if (!TIMES.has(finding.source) || baseline <= 0) return finding;
    return { ...finding, strength: finding.strength * soft(Math.log(during / baseline), HALF_SLOWER) };
  });
}

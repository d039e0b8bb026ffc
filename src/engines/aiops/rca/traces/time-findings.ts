import { type Finding, HALF, soft } from '../finding.ts';
import { slowBetween, slowItself, slowPeer } from '../words.ts';
import { mean, median, robustSpread } from '../stats.ts';
import { LEAST_RELATIVE_SPREAD, LEAST_SIGMAS } from '../metrics/measure-change.ts';
import { rankChance } from '../series/chances.ts';
import { incidentWindow, type Windows } from '../windows.ts';
import type { SpanTimes, Times } from './span-times.ts';

export const HALF_FOLD = Math.log(2);
/** A delay of a tenth of what a whole request used to take is half of what a delay can say. */
const HALF_OF_TRACE = 0.1;

interface Slowed {
  readonly before: number;
  readonly during: number;
  readonly added: number;
  readonly calls: number;
  readonly strength: number;
  readonly chance: number;
}

/** Time that is lost between services, and inside them. */
export function timeFindings(times: SpanTimes, windows: Windows): Finding[] {
  const typical = median([...times.roots.before, ...times.roots.during]);
  return [...edgeFindings(times, typical, windows), ...ownFindings(times, typical, windows)];
}

/**
 * A slow wire has two ends. The end at which more of its calls are slow is the guilty one; for a single edge it is the
 * callee, since a caller that is cut off would be slow towards others too.
 */
function edgeFindings({ edges, unseen }: SpanTimes, typical: number, windows: Windows): Finding[] {
  const all = [...edges].map(([key, times]) => ({
    ends: key.split('\n'),
    slowed: slowed(times, typical, edges.size),
  }));
  const slow = all.filter((edge): edge is { ends: string[]; slowed: Slowed } => edge.slowed !== undefined);
  const added = (service: string): number =>
    slow
      .filter(({ ends }) => ends.includes(service))
      .reduce((sum, edge) => sum + edge.slowed.added * edge.slowed.calls, 0);
  const most = Math.max(0, ...slow.flatMap(({ ends }) => ends.map(added)));
  return slow.flatMap(({ ends: [caller = '', callee = ''], slowed: found }) =>
    [callee, caller].map((service) => {
      const share = (added(service) / most) * (service === caller ? callerShare(service, all, slow) : 1);
      return finding(
        'call_edge',
        service,
        { ...found, strength: found.strength * share },
        unseen.has(callee) ? 'service_fault' : 'network_delay',
        windows,
        {
          summary: (unseen.has(callee) ? slowPeer : slowBetween)(caller, callee, found),
          query: unseen.has(callee)
            ? `spans{service="${caller}", peer="${callee}"}`
            : `spans{service="${caller}"} minus child spans{service="${callee}"}`,
          baseline: found.before,
          during: found.during,
        },
      );
    }),
  );
}

/** A caller is suspect as far as its calls to others are slow as well. */
function callerShare(
  service: string,
  all: readonly { ends: string[] }[],
  slow: readonly { ends: string[] }[],
): number {
  const of = (edges: readonly { ends: string[] }[]): number =>
    edges.filter(({ ends }) => ends.includes(service)).length;
  return HALF * (of(slow) / Math.max(1, of(all)));
}

function ownFindings({ own }: SpanTimes, typical: number, windows: Windows): Finding[] {
  return [...own].flatMap(([key, times]) => {
    const [service = '', operation = ''] = key.split('\n');
    const found = slowed(times, typical, own.size);
    if (!found) return [];
    return [
      finding('self_time', service, found, 'service_fault', windows, {
        summary: slowItself(operation, service, found),
        query: `spans{service="${service}", operation="${operation}"} self time`,
        baseline: found.before,
        during: found.during,
      }),
    ];
  });
}

function slowed({ before, during }: Times, typical: number, asked: number): Slowed | undefined {
  const { centre, spread } = robustSpread(before);
  const after = median(during);
  const added = after - centre;
  const scale = Math.max(spread, LEAST_RELATIVE_SPREAD * centre, Number.MIN_VALUE);
  if (!(added / scale >= LEAST_SIGMAS) || mean(during) <= mean(before)) return undefined;
  const strength =
    soft(Math.log((after + scale) / (centre + scale)), HALF_FOLD) * soft(added / typical, HALF_OF_TRACE);
  return {
    before: centre,
    during: after,
    added,
    calls: during.length,
    strength,
    chance: Math.min(1, asked * rankChance(before, during)),
  };
}

function finding(
  source: Finding['source'],
  service: string,
  { strength, chance }: Pick<Slowed, 'strength' | 'chance'>,
  category: Finding['category'],
  windows: Windows,
  evidence: Pick<Finding['evidence'], 'summary' | 'query' | 'baseline' | 'during'>,
): Finding {
  const window = incidentWindow(windows);
  return {
    source,
    service,
    strength,
    chance,
    category,
    evidence: { kind: 'trace', service, window, ...evidence },
  };
}

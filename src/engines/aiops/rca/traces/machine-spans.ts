import { machineName } from '#kit/machine-name';
import { soft } from '../finding.ts';
import type { MachineSide } from '../places/suspect-machines.ts';
import { FEWEST } from '../metrics/measure-change.ts';
import { countChance } from '../series/chances.ts';
import { mean } from '../stats.ts';
import { incidentWindow, type Windows } from '../windows.ts';
import { failsOn, slowOn } from '../words.ts';
import { HALF_SHARE } from './error-findings.ts';
import { HALF_FOLD } from './time-findings.ts';
import { spanFailed } from './span-failed.ts';
import { type IndexedSpan, longestOf, type Side, type TraceIndex, uncoveredMs } from './trace-index.ts';

/** Requests of each service on each machine against those on its others, at the same time and each against before. */
export function machineSpans({ spans, entryOf }: TraceIndex, windows: Windows): MachineSide[] {
  // What a request waits for at others tells nothing of the machine below it.
  const calls = Map.groupBy(
    spans.filter(
      ({ span, children, unseen }) => unseen || children.some(({ service }) => service !== span.service),
    ),
    entryOf,
  );
  const served = spans.flatMap((indexed): Served[] => {
    if (entryOf(indexed) !== indexed) return [];
    const { span, side } = indexed;
    const waits = (calls.get(indexed) ?? []).flatMap((call) =>
      call === indexed ? call.children : [call.span],
    );
    return [{ span, side, ms: uncoveredMs(span, waits) }];
  });
  return [...Map.groupBy(served, ({ span }) => span.service)].flatMap(([service, own]) => {
    const machines = [...Map.groupBy(own, ({ span }) => machineName(span.attributes ?? {}) ?? '')].filter(
      ([machine]) => machine !== '',
    );
    return machines.flatMap(([machine, here]) => {
      const elsewhere = machines.flatMap(([other, list]) => (other === machine ? [] : list));
      return compared({ service, machine }, bySide(here), bySide(elsewhere), windows);
    });
  });
}

/** A request, and how long its service took for it itself. */
interface Served extends Pick<IndexedSpan, 'span' | 'side'> {
  readonly ms: number;
}
type Sides = Record<Side, readonly Served[]>;

const bySide = (served: readonly Served[]): Sides => ({
  before: served.filter(({ side }) => side === 'before'),
  during: served.filter(({ side }) => side === 'during'),
});

function compared(
  { service, machine }: { readonly service: string; readonly machine: string },
  here: Sides,
  elsewhere: Sides,
  windows: Windows,
): MachineSide[] {
  const all = [here.before, here.during, elsewhere.before, elsewhere.during];
  if (all.some(({ length }) => length < FEWEST)) return [];
  const evidence = {
    kind: 'trace' as const,
    service,
    query: `spans{service="${service}", machine="${machine}"}`,
    window: incidentWindow(windows),
  };
  const timed = timesOf(here, elsewhere);
  const failed = failuresOf(here, elsewhere);
  const calls = here.during.length;
  return [
    {
      service,
      side: machine,
      ...timed,
      evidence: {
        ...evidence,
        summary: slowOn(service, machine, { ...timed, calls }),
        baseline: timed.others,
        during: timed.own,
      },
    },
    {
      service,
      side: machine,
      ...failed,
      evidence: {
        ...evidence,
        summary: failsOn(service, machine, { ...failed, calls }),
        baseline: failed.others,
        during: failed.own,
      },
    },
  ];
}

interface Apart {
  readonly own: number;
  readonly others: number;
  readonly strength: number;
  readonly chance: number;
  readonly share: number;
}

/** Requests that took longer than they used to on the same machine: what slows all slows those on each. */
function timesOf(here: Sides, elsewhere: Sides): Apart {
  const ms = (served: readonly Served[]): number[] => served.map((one) => one.ms);
  const foldOf = ({ before, during }: Sides): number =>
    mean(ms(during)) / Math.max(mean(ms(before)), Number.MIN_VALUE);
  const lateOf = ({ before }: Sides): ((one: Served) => boolean) => {
    const longest = longestOf(ms(before));
    return (one) => one.ms > longest;
  };
  const [mine, theirs] = [foldOf(here), foldOf(elsewhere)];
  return {
    own: mean(ms(here.during)),
    others: mean(ms(elsewhere.during)),
    strength: soft(Math.log(mine / theirs), HALF_FOLD),
    chance: chanceOf({ here, elsewhere }, lateOf(here), lateOf(elsewhere)),
    share: shareOf(mine - 1, theirs - 1, here, elsewhere),
  };
}

function failuresOf(here: Sides, elsewhere: Sides): Apart {
  const isFailed = ({ span }: Served): boolean => spanFailed(span);
  const failed = (served: readonly Served[]): number => served.filter(isFailed).length / served.length;
  const [own, others] = [failed(here.during), failed(elsewhere.during)];
  const [ownBefore, othersBefore] = [failed(here.before), failed(elsewhere.before)];
  return {
    own,
    others,
    strength: soft(own - others - Math.max(0, ownBefore - othersBefore), HALF_SHARE),
    chance: chanceOf({ here, elsewhere }, isFailed, isFailed),
    share: shareOf(own - ownBefore, others - othersBefore, here, elsewhere),
  };
}

/** As many of some kind are neither elsewhere at the same time nor here before. */
function chanceOf(
  { here, elsewhere }: Record<'here' | 'elsewhere', Sides>,
  isHere: (one: Served) => boolean,
  isElsewhere: (one: Served) => boolean,
): number {
  const count = (served: readonly Served[], is: (one: Served) => boolean) => ({
    hits: served.filter(is).length,
    of: served.length,
  });
  const now = count(here.during, isHere);
  return Math.max(
    countChance(count(elsewhere.during, isElsewhere), now),
    countChance(count(here.before, isHere), now),
  );
}

/** Of what all requests together are worse by, the part that those on one machine are worse by than the others. */
function shareOf(own: number, others: number, here: Sides, elsewhere: Sides): number {
  const beyond = Math.max(0, own - Math.max(0, others));
  const requests = here.during.length + elsewhere.during.length;
  const shared = (Math.max(0, others) * requests) / here.during.length;
  return beyond > 0 ? beyond / (beyond + shared) : 0;
}

import type { CauseCategory } from '#spec/data';
import { play } from '../physics/play.ts';
import { openRandom, type Random } from '../random.ts';
import { drawChanges, type WorldChange } from './changes.ts';
import type { Effect, Rollout } from './effect.ts';
import { type Complaint, type Fault, FAULTS, type Place, QUIET } from './faults.ts';
import { drawSystem, type Service, type System } from './system.ts';

/** What really happened. The form of the telemetry does not move it. */
export interface Truth {
  /** The kind of trouble, by the name that the simulator has for it. */
  readonly fault: string;
  readonly place: Place['kind'];
  /** Where it happened: a service, a vendor, a node, or the callee of an edge. Undefined for surges and for none. */
  readonly culprit: string | undefined;
  /** Every name under which the place may be called rightly; both ends of what is between services, the services of a node. */
  readonly accepts: readonly string[];
  /** Who calls the culprit: where the telemetry never names it, its trouble is theirs. */
  readonly callers: readonly string[];
  readonly category: CauseCategory;
  /** What it may be called as well. */
  readonly also: readonly CauseCategory[];
  /** Unix seconds; undefined where nothing happened. */
  readonly onset: number | undefined;
  /** The ids of the change that caused it, as a commit and as its deploy; empty where no recorded change did. */
  readonly changes: readonly string[];
  /** Whether undoing that change would mend it. */
  readonly undoHelps: boolean;
  /** 0 is faint, 1 is loud. */
  readonly force: number;
}

/** A signal of one service that somebody has an alert on. */
export interface AlertTarget {
  readonly service: number;
  readonly signal: 'latency' | 'failures' | 'requests' | 'busy' | 'depth';
}

export interface World {
  readonly seed: string;
  readonly system: System;
  readonly effects: readonly Effect[];
  readonly rollouts: readonly Rollout[];
  readonly changes: readonly WorldChange[];
  /** Around when the alert comes; the onset, where there is one. */
  readonly moment: number;
  /** Seconds from the onset to the alert, at least. */
  readonly delay: number;
  readonly alert: AlertTarget;
  readonly place: Place;
  readonly says: Complaint;
  /** The program's symbol that complaints name, where the fault is in code. */
  readonly symbol: string;
  readonly truth: Truth;
}

const YEAR_START = Date.UTC(2025, 0, 6) / 1000;
const QUIET_SHARE = 0.18;

/** The names of everything that may be wrong, and of nothing. */
export const FAULT_NAMES: readonly string[] = [...Object.keys(FAULTS), ...Object.keys(QUIET)];

/** A system and what happens to it. With a `fault` it is of that kind, where the system has a place for it. */
export function drawWorld(seed: string, wanted?: string): World {
  const random = openRandom(`world ${seed}`);
  const system = drawSystem(random.fork('system'));
  const moment = YEAR_START + random.int(0, 300) * 86_400 + random.int(0, 86_399);
  const force = random.weighted([
    [random.between(0, 0.3), 3],
    [random.between(0.3, 0.7), 5],
    [random.between(0.7, 1), 4],
  ]);
  const { name, fault } = drawFault({ system, moment, force, random: random.fork('fault') }, wanted);
  const isQuiet = fault.place.kind === 'none';
  const onset = isQuiet ? undefined : moment;
  // Nobody notices what has hardly begun to grow.
  const grown = 0.5 * Math.max(0, ...fault.effects.map(({ ramp = 0 }) => ramp));
  const delay = Math.max(grown, random.logBetween(45, 1_500));
  const changes = drawChanges({ system, moment, delay, fault, random: random.fork('changes') });
  const background = drawBackground(system, moment, random.fork('background'));
  const effects = [...fault.effects, ...background];
  const rollouts = [...(fault.guilt?.rollout ? [fault.guilt.rollout] : []), ...changes.rollouts];
  const alert = chooseAlert(
    { system, effects, rollouts },
    { moment, delay, place: fault.place },
    random.fork('alert'),
  );
  return {
    seed,
    system,
    effects,
    rollouts,
    changes: changes.all,
    moment,
    delay,
    alert,
    place: fault.place,
    says: fault.says,
    symbol: changes.symbol,
    truth: truthOf({ name, fault, system, onset, force: isQuiet ? 0 : force, guilty: changes.guilty }),
  };
}

interface FaultDraw {
  readonly system: System;
  readonly moment: number;
  readonly force: number;
  readonly random: Random;
}

function drawFault(
  { system, moment, force, random }: FaultDraw,
  wanted: string | undefined,
): { name: string; fault: Fault } {
  const scene = { system, onset: moment, random, force };
  if (wanted !== undefined) {
    const fault = (FAULTS[wanted] ?? QUIET[wanted])?.(scene);
    if (fault) return { name: wanted, fault };
  }
  const kinds = random.chance(QUIET_SHARE) ? QUIET : FAULTS;
  for (;;) {
    const name = random.pick(Object.keys(kinds));
    const fault = kinds[name]?.(scene);
    if (fault) return { name, fault };
  }
}

/** Blips of services that have nothing to do with it, before and during. */
function drawBackground({ services }: System, moment: number, random: Random): Effect[] {
  return Array.from(
    {
      length: random.weighted([
        [0, 3],
        [1, 3],
        [3, 2],
        [6, 1],
      ]),
    },
    () => {
      const { at, workMs } = random.pick(services);
      const from = moment + random.between(-14_400, 1_800);
      const blip = { from, until: from + random.logBetween(20, 600), service: at };
      const kind = random.pick(['slow', 'fails', 'busy']);
      if (kind === 'slow') return { ...blip, waitMs: workMs * random.logBetween(0.2, 3) };
      return kind === 'fails'
        ? { ...blip, fails: random.logBetween(0.001, 0.03) }
        : { ...blip, burn: random.between(0.05, 0.3) };
    },
  );
}

interface TruthDraw {
  readonly name: string;
  readonly fault: Fault;
  readonly system: System;
  readonly onset: number | undefined;
  readonly force: number;
  readonly guilty: readonly string[];
}

function truthOf({ name, fault, system, onset, force, guilty }: TruthDraw): Truth {
  const { place } = fault;
  const nameOf = (at: number): string => (system.services[at] as Service).name;
  const edge = place.edge === undefined ? undefined : system.edges[place.edge];
  const ends = edge ? [nameOf(edge.to), nameOf(edge.from)] : [];
  const on =
    place.node === undefined
      ? []
      : system.services.filter(({ pods }) => pods.some(({ node }) => node === place.node));
  // What goes wrong between a service and all who call it has a name at either end.
  const around = fault.effects.flatMap(({ edge: at }) => {
    const hit = at === undefined ? undefined : system.edges[at];
    return hit && hit.to === place.service && place.kind === 'service' ? [nameOf(hit.from)] : [];
  });
  const culprit = place.node ?? ends[0] ?? (place.service === undefined ? undefined : nameOf(place.service));
  return {
    fault: name,
    place: place.kind,
    culprit,
    accepts: [
      ...new Set([
        ...(culprit === undefined ? [] : [culprit]),
        ...ends,
        ...around,
        ...on.map((service) => service.name),
      ]),
    ],
    callers:
      place.kind === 'service'
        ? system.edges.filter(({ to }) => to === place.service).map(({ from }) => nameOf(from))
        : [],
    category: fault.category,
    also: fault.also,
    onset,
    changes: guilty,
    undoHelps: guilty.length > 0,
    force,
  };
}

interface AlertScene {
  readonly moment: number;
  readonly delay: number;
  readonly place: Place;
}

/** Users and monitors notice what moved most; where nothing moved much, somebody's threshold was too tight. */
function chooseAlert(
  course: { system: System; effects: readonly Effect[]; rollouts: readonly Rollout[] },
  { moment, delay, place }: AlertScene,
  random: Random,
): AlertTarget {
  const { system } = course;
  const after = moment + Math.max(delay, 600);
  const { services } = play(course, [moment - 120, moment - 60, after - 60, after], undefined);
  const moved = services.flatMap((state, service): (readonly [AlertTarget, number])[] => {
    const { role } = system.services[service] as Service;
    if (role === 'vendor') return [];
    const known = role === 'entry' ? 4 : 1;
    const grew = (field: 'mean' | 'rate' | 'busy' | 'depth'): number =>
      Math.log(((state[field][3] as number) + 1e-9) / ((state[field][1] as number) + 1e-9));
    const failed =
      ((state.fails[3] as number) - (state.fails[1] as number)) / ((state.fails[1] as number) + 0.004);
    const weigh = (score: number, least: number): number => (score > least ? known * Math.min(score, 5) : 0);
    return [
      [{ service, signal: 'latency' }, weigh(grew('mean') * 2, 0.1)],
      [{ service, signal: 'failures' }, weigh(failed / 2, 0.25)],
      [{ service, signal: 'requests' }, weigh(Math.abs(grew('rate')), 0.4) * 0.3],
      [{ service, signal: 'busy' }, weigh(grew('busy'), 0.3) * 0.3],
      [{ service, signal: 'depth' }, role === 'queue' ? weigh(grew('depth'), 0.4) : 0],
    ];
  });
  const telling = moved.filter(([, weight]) => weight > 0);
  if (telling.length && place.kind !== 'none') return random.weighted(telling);
  const busy = system.services.filter(({ role }) => role === 'entry' || role === 'service');
  const service = place.service ?? random.pick(busy).at;
  return {
    service: system.services[service]?.role === 'vendor' ? 0 : service,
    signal: random.pick(['latency', 'failures']),
  };
}

import type { Alert, Severity, Topology } from '#spec/data';
import { openRandom, type Random } from './random.ts';
import { drawSystem, type System } from './world/system.ts';

interface StormOptions {
  readonly seed: string;
  /** How many things break at once; 1 to 6 where it is left out. */
  readonly causes?: number;
  /** About how many alerts; 50 to 5,000 where it is left out. */
  readonly alerts?: number;
  /** So many services for each cause, at least; the fewer, the more causes share whom they reach. */
  readonly room?: number;
}

/** An alert, when it came in, and what made it fire. */
export interface StormAlert {
  readonly alert: Alert;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Names of causes. A service that suffers from two of them has both. */
  readonly causes: readonly string[];
}

export interface Storm {
  readonly topology: Topology;
  /** As they came in. */
  readonly alerts: readonly StormAlert[];
  /** When the first cause began. */
  readonly began: number;
}

interface Place {
  readonly name: string;
  readonly reports: boolean;
  readonly callers: { readonly at: number; readonly needs: number }[];
}

const BEGAN = Date.parse('2026-03-01T12:00:00Z');
/** Systems are drawn until each cause has so many services. */
const SERVICES_A_CAUSE = 25;
const STRANGERS = 3;
const MOST_NOISE = 8;
const NAMES = ['HighErrorRate', 'HighLatency', 'SloBurnRate', 'QueueGrowing', 'PodNotReady', 'TargetDown'];
const SEVERITIES: readonly (readonly [Severity, number])[] = [
  ['P1', 2],
  ['P2', 3],
  ['P3', 4],
  ['P4', 1],
];

/**
 * Alerts of several faults at once, with what caused each. Failures go from the called to whoever calls it, as far as it
 * needs the answer; rules wait up to three minutes before they fire, so the order of arrival tells little. Some services that
 * nothing connects have a grave fault of their own, and some alerts are noise. Pure: the same seed gives the same storm.
 */
export function drawStorm({ seed, ...given }: StormOptions): Storm {
  const random = openRandom(`storm/${seed}`);
  const count = given.causes ?? random.int(1, 6);
  const wanted = given.alerts ?? Math.round(random.logBetween(50, 5_000));
  const places = drawPlaces(count * (given.room ?? SERVICES_A_CAUSE), random.fork('places'));
  const topology = {
    edges: places.flatMap(({ name, callers }) =>
      callers.map(({ at }) => ({ from: (places[at] as Place).name, to: name })),
    ),
  };
  const causes = random.fork('causes');
  const roots = drawRoots(places, count, causes);
  const hit = new Map<number, { readonly causes: string[]; since: number }>();
  for (const root of roots) {
    const name = (places[root] as Place).name;
    const onset = causes.between(0, 300);
    for (const [at, since] of spread(root, places, causes.fork(name))) {
      const known = hit.get(at) ?? { causes: [], since: onset + since };
      known.causes.push(name);
      hit.set(at, { causes: known.causes, since: Math.min(known.since, onset + since) });
    }
  }
  const told = [...hit].filter(([at]) => (places[at] as Place).reports);
  const alerts = random.fork('alerts');
  const drawn = told.flatMap(([at, { causes: own, since }]) =>
    drawAlerts((places[at] as Place).name, own, since, Math.ceil(wanted / told.length), alerts.fork(`${at}`)),
  );
  const quiet = places.filter(({ reports }, at) => reports && !hit.has(at));
  const noise = Array.from({ length: quiet.length ? random.int(0, MOST_NOISE) : 0 }, (_, n) =>
    drawAlert(
      alerts.pick(quiet).name,
      [`noise ${n}`],
      alerts.between(0, 400),
      `noise-${n}`,
      alerts,
      alerts.pick(['P3', 'P4']),
    ),
  );
  const strangers = Array.from({ length: STRANGERS }, (_, n) =>
    drawAlert(
      `stranger-${n}`,
      [`stranger ${n}`],
      alerts.between(0, 400),
      `stranger-${n}`,
      alerts,
      alerts.pick(['P1', 'P2']),
    ),
  );
  return {
    topology,
    alerts: [...drawn, ...noise, ...strangers].toSorted((one, other) => one.at - other.at),
    began: BEGAN,
  };
}

/** Places whose fault somebody tells of, and that do not call one another: two faults on both sides of one call are one to whoever sees no more than that. */
function drawRoots(places: readonly Place[], count: number, random: Random): number[] {
  const roots: number[] = [];
  const calls = (from: number, to: number) => places[to]?.callers.some(({ at }) => at === from) ?? false;
  const isTold = (at: number): boolean =>
    places[at]?.reports === true || places[at]?.callers.some(({ needs }) => needs > 0.5) === true;
  for (const at of random.some([...places.keys()], places.length))
    if (roots.length < count && isTold(at) && !roots.some((root) => calls(root, at) || calls(at, root)))
      roots.push(at);
  return roots;
}

/** One system after another, until there are enough services; nothing connects two systems. */
function drawPlaces(least: number, random: Random): Place[] {
  const places: Place[] = [];
  for (let n = 0; places.length < least; n++) {
    const system: System = drawSystem(random.fork(`system ${n}`));
    const first = places.length;
    for (const { name, reports } of system.services)
      places.push({ name: n === 0 ? name : `${name}-${n}`, reports, callers: [] });
    for (const { from, to, needs, async } of system.edges)
      places[first + to]?.callers.push({ at: first + from, needs: async ? 0 : needs });
  }
  return places;
}

/** Who suffers from a fault at `root`, and how many seconds after it. */
function spread(root: number, places: readonly Place[], random: Random): ReadonlyMap<number, number> {
  const found = new Map([[root, 0]]);
  for (const [at, since] of found)
    for (const { at: caller, needs } of (places[at] as Place).callers)
      if (!found.has(caller) && random.chance(needs)) found.set(caller, since + random.between(0, 20));
  return found;
}

const drawAlerts = (
  service: string,
  causes: readonly string[],
  since: number,
  count: number,
  random: Random,
): StormAlert[] => {
  const names = random.some(NAMES, random.int(1, 4)).map((name) => ({
    name,
    severity: random.weighted(SEVERITIES),
    waits: random.between(0, 180),
  }));
  return Array.from({ length: Math.max(1, Math.round(count * random.between(0.3, 1.7))) }, (_, n) => {
    const { name, severity, waits } = names[n % names.length] as (typeof names)[number];
    return drawAlert(service, causes, since + waits, `${service}-${n}`, random, severity, name);
  });
};

function drawAlert(
  service: string,
  causes: readonly string[],
  since: number,
  id: string,
  random: Random,
  severity: Severity,
  name: string = random.pick(NAMES),
): StormAlert {
  const starts = BEGAN + (since + random.between(0, 15)) * 1_000;
  const alert: Alert = {
    fingerprint: id,
    source: 'alertmanager',
    status: 'firing',
    title: `${name}: ${service}`,
    severity,
    service,
    labels: { alertname: name, service, instance: id },
    annotations: {},
    startsAt: new Date(starts).toISOString(),
  };
  return { alert, at: starts + random.between(0, 60_000), causes };
}

import type { Random } from '../random.ts';
import { type Effect, levelOf, type Rollout } from '../world/effect.ts';
import type { Edge, Service, System } from '../world/system.ts';
import { activeEffects, factorOf, type Hit, NOTHING, type Now, sumOf } from './active-effects.ts';
import { longerThan, overload, queueing } from './latency.ts';
import { type Noise, openNoise } from './noise.ts';

/** What each service is like at each instant. Rates are a second, shares 0 to 1. */
const SERVICE_FIELDS = [
  'rate',
  'fails',
  'ownFails',
  'median',
  'mean',
  'slowShare',
  'slowMs',
  'busy',
  'memory',
  'disk',
  'poolShare',
  'poolWaitMs',
  'refused',
  'restarts',
  'depth',
  'hits',
  'inFlight',
  'gone',
  'rolledFails',
  'rolledMs',
  'nodeFails',
  'nodeMs',
  'alone',
  'ownSlowShare',
  'ownSlowMs',
] as const;
export type ServiceField = (typeof SERVICE_FIELDS)[number];
const EDGE_FIELDS = ['rate', 'fails', 'timeouts', 'ms', 'limit', 'delayMs', 'wireFails'] as const;
type EdgeField = (typeof EDGE_FIELDS)[number];

export type States<Field extends string> = Readonly<Record<Field, Float64Array>>;

export interface Play {
  readonly times: readonly number[];
  readonly services: readonly States<ServiceField>[];
  readonly edges: readonly States<EdgeField>[];
}

export interface Course {
  readonly system: System;
  readonly effects: readonly Effect[];
  readonly rollouts: readonly Rollout[];
}

/** A caller that fails comes back sooner or later with the same answer: so much of a failure outlives its retries. */
const STUBBORN = 0.7;
const MOST_GAP = 600;
const DAY = 86_400;

/**
 * The system over time. Load goes down the calls, time and failures come up them; what a caller does about a failing
 * callee is felt one sample later. Without a `random` there is no noise.
 */
export function play(
  { system, effects }: Course,
  times: readonly number[],
  random: Random | undefined,
): Play {
  const { services, edges } = system;
  const state = services.map(() => emptyStates(SERVICE_FIELDS, times.length));
  const calls = edges.map(() => emptyStates(EDGE_FIELDS, times.length));
  const noise = {
    load: openNoise(random?.fork('load'), system.loadNoise.memory),
    services: services.map(({ at, noise: { memory } }) => openNoise(random?.fork(`latency ${at}`), memory)),
    failing: services.map(({ at }) => openNoise(random?.fork(`failing ${at}`), 120)),
    memory: services.map(({ at }) => openNoise(random?.fork(`memory ${at}`), 3_600)),
    edges: edges.map(({ at }) => openNoise(random?.fork(`calls ${at}`), 90)),
  };
  const leaving = services.map(({ at }) => edges.filter(({ from }) => from === at));
  const usual = usualOf(system);
  const upwards = services.toReversed();
  const nobody = activeEffects([], 0, services);
  for (let tick = 0; tick < times.length; tick++) {
    const time = times[tick] as number;
    const gap = Math.min(MOST_GAP, tick ? time - (times[tick - 1] as number) : 0);
    const now = effects.some((effect) => levelOf(effect, time) > 0)
      ? activeEffects(effects, time, services)
      : nobody;
    const here: Here = { state, calls, leaving, tick, time, gap, now, usual, system };
    loadDown(here, noise.load(gap), noise.edges);
    for (const service of upwards) {
      const { at } = service;
      const own = (of: readonly Noise[]): number => of[at]?.(gap) ?? 0;
      settle(service, here, {
        time: own(noise.services),
        failing: own(noise.failing),
        memory: own(noise.memory),
      });
    }
  }
  return { times, services: state, edges: calls };
}

const emptyStates = <Field extends string>(fields: readonly Field[], length: number): States<Field> =>
  Object.fromEntries(fields.map((field) => [field, new Float64Array(length)])) as States<Field>;

/** What the usual day has, without noise. */
function usualOf({ services, edges, usual: { rate } }: System): {
  ms: number[];
  pool: number[];
  rate: readonly number[];
} {
  const own = services.map(
    ({ workMs, spread, busy }) => workMs * Math.exp((spread * spread) / 2) * queueing(busy),
  );
  const ms = [...own];
  for (const { from, to, calls, async, cache } of edges
    .toReversed()
    .toSorted((one, other) => other.from - one.from))
    if (!async) ms[from] = (ms[from] as number) + calls * (cache ? 1 - cache.hits : 1) * (ms[to] as number);
  const pool = services.map(({ at }) =>
    edges
      .filter(({ from, to }) => from === at && services[to]?.role === 'database')
      .reduce(
        (sum, { to, calls, cache }) =>
          sum + (rate[at] as number) * calls * (cache ? 1 - cache.hits : 1) * ((ms[to] as number) / 1000),
        0,
      ),
  );
  return { ms, pool, rate };
}

/** One instant of the whole system. */
interface Here {
  readonly state: readonly States<ServiceField>[];
  readonly calls: readonly States<EdgeField>[];
  readonly leaving: readonly (readonly Edge[])[];
  readonly tick: number;
  readonly time: number;
  readonly gap: number;
  readonly now: Now;
  readonly usual: ReturnType<typeof usualOf>;
  readonly system: System;
}

function loadDown(
  { system, state, calls, tick, time, gap, now }: Here,
  load: number,
  edgeNoise: readonly Noise[],
): void {
  const { services, edges, rhythm, peakHour, loadNoise } = system;
  const day = Math.cos((2 * Math.PI * (time - peakHour * 3_600)) / DAY);
  const outside = system.load * (1 + rhythm * day) * now.load * Math.exp(loadNoise.size * load);
  for (const { at, role } of services)
    if (role === 'entry') (state[at] as States<ServiceField>).rate[tick] = outside;
  for (const { at, from, to, calls: usual, retries, cache, noise } of edges) {
    const hits = now.edges.get(at) ?? NOTHING;
    const caller = state[from] as States<ServiceField>;
    const own = calls[at] as States<EdgeField>;
    const failed = tick ? (own.fails[tick - 1] as number) : 0;
    const early = earlyOf(now.services[from] ?? NOTHING);
    const shed = tick ? overload(caller.busy[tick - 1] as number) : 0;
    const missed = cache ? 1 - cache.hits * cacheWorks(cache.at, now, state, tick) : 1;
    const attempts = 1 + retries * Math.min(1, failed);
    const each =
      usual * factorOf(hits, 'calls') * Math.exp(noise * (edgeNoise[at]?.(gap) ?? 0) - (noise * noise) / 2);
    const rate =
      (caller.rate[tick] as number) * Math.max(0, 1 - early) * (1 - shed) * each * missed * attempts;
    own.rate[tick] = rate;
    // What the wire loses does not arrive.
    const arrived = rate * (1 - Math.min(1, sumOf(hits, 'edgeFails')));
    const callee = state[to] as States<ServiceField>;
    callee.rate[tick] = (callee.rate[tick] as number) + arrived;
  }
}

/** The share of requests that fail before they call anybody. */
function earlyOf(hits: readonly Hit[]): number {
  let sum = 0;
  for (const { effect, level, share } of hits)
    sum += (effect.fails ?? 0) * (effect.early ?? 0) * level * share;
  return sum;
}

/** The share of its usual hits that a cache has. */
function cacheWorks(at: number, now: Now, state: readonly States<ServiceField>[], tick: number): number {
  const down = tick ? ((state[at] as States<ServiceField>).fails[tick - 1] as number) : 0;
  return (1 - Math.min(1, sumOf(now.services[at] ?? NOTHING, 'misses'))) * (1 - down);
}

interface OwnNoise {
  readonly time: number;
  readonly failing: number;
  readonly memory: number;
}

/** Everything of one service at one instant; whoever it calls is settled already. */
function settle(service: Service, here: Here, noise: OwnNoise): void {
  const { tick, time, now, usual } = here;
  const own = here.state[service.at] as States<ServiceField>;
  const hits = now.services[service.at] ?? NOTHING;
  const rate = own.rate[tick] as number;
  const relative = rate / Math.max(usual.rate[service.at] as number, 1e-9);
  let quota = Infinity;
  for (const { effect } of hits) quota = Math.min(quota, effect.quota ?? Infinity);
  const refused = relative > quota ? 1 - quota / relative : 0;
  const lost = Math.min(0.95, sumOf(hits, 'lost'));
  const work = sumOf(hits, 'work');
  const job = service.job && time % service.job.every < service.job.lasts ? service.job.busy : 0;
  const busy =
    (service.busy * relative * (1 - refused) * (1 + work) + job + sumOf(hits, 'burn')) / (1 - lost);
  const memory = memoryOf(service, hits, here, noise.memory);
  const disk = Math.min(1, service.diskShare + sumOf(hits, 'disk'));
  const squeezed = memory.share > 0.9 ? 1 + 20 * (memory.share - 0.9) : 1;
  const alone = service.workMs * Math.exp(service.noise.size * noise.time) * queueing(busy) * squeezed;
  const below = belowOf(service, here, hits);
  const slow = slowPart(hits, alone, below);
  const median = alone + below.ms + below.poolWaitMs;
  const usualFails =
    service.fails * Math.exp(service.burst * noise.failing - (service.burst * service.burst) / 2);
  const lasting = sumOf(hits, 'fails') + (disk > 0.97 ? 0.5 : 0) + memory.restarts * 0.2;
  const ownFails = either(
    either(usualFails, lasting),
    either(either(overload(busy), refused), below.poolFails),
  );
  own.ownFails[tick] = ownFails;
  own.fails[tick] = either(ownFails, below.fails);
  own.median[tick] = median - slow.inMedian;
  own.slowShare[tick] = slow.share;
  own.slowMs[tick] = slow.ms;
  own.mean[tick] =
    (median - slow.inMedian) * Math.exp((service.spread * service.spread) / 2) + slow.share * slow.ms;
  own.busy[tick] = busy;
  own.memory[tick] = memory.share;
  own.disk[tick] = disk;
  own.refused[tick] = refused;
  own.restarts[tick] = sumOf(hits, 'restarts') / 60 + memory.restarts;
  own.poolShare[tick] = below.poolShare;
  own.poolWaitMs[tick] = below.poolWaitMs;
  own.hits[tick] = 1 - Math.min(1, sumOf(hits, 'misses'));
  own.inFlight[tick] = (rate * own.mean[tick]) / 1000;
  own.depth[tick] = depthOf(service, hits, here, relative);
  own.gone[tick] = lost;
  own.alone[tick] = alone;
  own.ownSlowShare[tick] = slow.ownShare;
  own.ownSlowMs[tick] = slow.ownMs;
  for (const { effect, level } of hits) addPart(own, tick, effect, level, alone);
}

/** The probability of one or the other. */
const either = (one: number, other: number): number => {
  const [first, second] = [Math.min(1, one), Math.min(1, other)];
  return first + second - first * second;
};

/** What a request suffers at the new version, or on the bad node, beyond what all requests do. */
function addPart(
  own: States<ServiceField>,
  tick: number,
  effect: Effect,
  level: number,
  alone: number,
): void {
  const fails = level * (effect.fails ?? 0) * (effect.share ?? 1);
  const ms = level * ((effect.work ?? 0) * alone + (effect.waitMs ?? 0)) * (effect.share ?? 1);
  const add = (field: ServiceField, amount: number): void => {
    own[field][tick] = (own[field][tick] as number) + amount;
  };
  if (effect.rollout) {
    add('rolledFails', fails);
    add('rolledMs', ms);
  } else if (effect.node !== undefined) {
    add('nodeFails', fails);
    add('nodeMs', ms);
  }
}

/** A program that is full is ended and begins again. */
function memoryOf(
  service: Service,
  hits: readonly Hit[],
  { gap, state, tick }: Here,
  memory: number,
): { share: number; restarts: number } {
  const own = state[service.at] as States<ServiceField>;
  const leak = sumOf(hits, 'memory');
  const base = service.memoryShare * (1 + 0.02 * memory);
  const room = Math.max(0.05, 0.97 - service.memoryShare);
  const grown = leak % room;
  const before = tick ? (own.memory[tick - 1] as number) : 0;
  const fell = leak > room && before > base + grown + 0.1 && gap > 0;
  return { share: Math.min(1, base + grown), restarts: fell ? 1 / Math.max(gap, 1) : 0 };
}

function depthOf(
  { role, at }: Service,
  hits: readonly Hit[],
  { state, tick, gap, usual }: Here,
  relative: number,
): number {
  if (role !== 'queue') return 0;
  const own = state[at] as States<ServiceField>;
  const rate = own.rate[tick] as number;
  const drained = 1.6 * (rate / Math.max(relative, 1e-9)) * (1 - sumOf(hits, 'stuck'));
  const before = tick ? (own.depth[tick - 1] as number) : 0;
  const least = 0.3 * (usual.rate[0] as number) ** 0.5;
  return Math.max(least * Math.min(3, relative), before + (rate - drained) * gap);
}

interface Below {
  readonly ms: number;
  readonly fails: number;
  readonly poolShare: number;
  readonly poolWaitMs: number;
  readonly poolFails: number;
  /** The share of requests that wait for the slowest of all callees, and how much longer. */
  readonly slowShare: number;
  readonly slowMs: number;
}

/** What the callees of a service cost it. */
function belowOf({ at, pool }: Service, here: Here, own: readonly Hit[]): Below {
  const { state, calls, leaving, tick, now, usual, system } = here;
  const rate = Math.max((state[at] as States<ServiceField>).rate[tick] as number, 1e-9);
  let [ms, fine, inUse, slowShare, slowMs] = [0, 1, 0, 0, 0];
  for (const edge of leaving[at] as readonly Edge[]) {
    const callee = state[edge.to] as States<ServiceField>;
    const mine = calls[edge.at] as States<EdgeField>;
    const hits = now.edges.get(edge.at) ?? NOTHING;
    const delayMs = sumOf(hits, 'delayMs');
    const spread = system.services[edge.to]?.spread ?? 0.5;
    const limit =
      (usual.ms[edge.to] as number) *
      Math.max(edge.patience, Math.exp(3.3 * spread)) *
      factorOf(hits, 'patience');
    const timeouts = longerThan(
      {
        median: (callee.median[tick] as number) + delayMs,
        spread,
        slowShare: callee.slowShare[tick] as number,
        slowMs: callee.slowMs[tick] as number,
      },
      limit,
    );
    const failed = either(either(callee.fails[tick] as number, sumOf(hits, 'edgeFails')), timeouts);
    const one = Math.min(limit, (callee.mean[tick] as number) + delayMs);
    mine.fails[tick] = failed;
    mine.timeouts[tick] = timeouts;
    mine.ms[tick] = one;
    mine.limit[tick] = limit;
    mine.delayMs[tick] = delayMs;
    mine.wireFails[tick] = sumOf(hits, 'edgeFails');
    const each = (mine.rate[tick] as number) / rate;
    if (system.services[edge.to]?.role === 'database') inUse += ((mine.rate[tick] as number) * one) / 1000;
    const lasting = edge.retries ? failed * (STUBBORN + (1 - STUBBORN) * failed ** edge.retries) : failed;
    fine *= 1 - Math.min(1, Math.min(1, each) * edge.needs * Math.min(1, lasting * Math.max(1, each)));
    if (edge.async) continue;
    ms += each * one;
    const share = Math.min(1, each * (callee.slowShare[tick] as number));
    const longer = Math.min(limit, callee.slowMs[tick] as number) * Math.max(1, each);
    if (share * longer > slowShare * slowMs) [slowShare, slowMs] = [share, longer];
  }
  const size = Math.max(
    1e-9,
    pool * (usual.pool[at] as number) * (1 - Math.min(0.97, sumOf(own, 'poolCut'))),
  );
  const poolShare = usual.pool[at] ? inUse / size : 0;
  const full = Math.min(poolShare, 0.97);
  const poolWaitMs = poolShare > 0.5 ? (((ms * full * full) / (1 - full)) * (poolShare - 0.5)) / 2 : 0;
  return {
    ms,
    fails: 1 - fine,
    poolShare: Math.min(1, poolShare),
    poolWaitMs,
    poolFails: 0.7 * overload(poolShare),
    slowShare,
    slowMs,
  };
}

/** The slow part of the requests: the service's own or, where that is more, what a callee brings. */
function slowPart(hits: readonly Hit[], alone: number, below: Below): SlowPart {
  let [ownShare, ownMs] = [0, 0];
  for (const { effect, level, share } of hits) {
    const longer = level * ((effect.work ?? 0) * alone + (effect.waitMs ?? 0));
    if (share * longer > ownShare * ownMs) [ownShare, ownMs] = [share, longer];
  }
  const brought = Math.min(below.ms, below.slowShare * below.slowMs);
  return brought > ownShare * ownMs
    ? { share: below.slowShare, ms: below.slowMs, inMedian: brought, ownShare, ownMs }
    : { share: ownShare, ms: ownMs, inMedian: 0, ownShare, ownMs };
}

interface SlowPart {
  readonly share: number;
  readonly ms: number;
  /** How much of it the sum over the callees holds already. */
  readonly inMedian: number;
  readonly ownShare: number;
  readonly ownMs: number;
}

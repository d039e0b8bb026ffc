import type { CauseCategory } from '#spec/data';
import type { Random } from '../random.ts';
import type { Effect, Rollout } from './effect.ts';
import type { Edge, Service, System } from './system.ts';

/** What the programs at the fault complain of, where they say it at all. */
export type Complaint =
  | 'exception'
  | 'slow'
  | 'memory'
  | 'wrong'
  | 'timeout'
  | 'pool'
  | 'crash'
  | 'input'
  | 'query'
  | 'lock'
  | 'disk'
  | 'limit'
  | 'certificate'
  | 'name'
  | 'network'
  | 'vendor'
  | 'cache'
  | 'lag'
  | 'busy'
  | 'nothing';

export interface Place {
  readonly kind: 'service' | 'edge' | 'node' | 'outside' | 'surge' | 'none';
  readonly service?: number;
  readonly edge?: number;
  readonly node?: string;
}

/** A change that somebody made and that brought the fault, before it has words. */
export interface Guilt {
  readonly kind: 'deploy' | 'config' | 'flag';
  readonly rollout?: Rollout;
  readonly nature: 'exception' | 'query' | 'leak' | 'dropped' | 'timeout' | 'pool' | 'flag';
}

export interface Fault {
  readonly place: Place;
  readonly category: CauseCategory;
  /** What it may be called as well. */
  readonly also: readonly CauseCategory[];
  readonly effects: readonly Effect[];
  readonly guilt?: Guilt;
  readonly says: Complaint;
}

interface FaultScene {
  readonly system: System;
  readonly onset: number;
  readonly random: Random;
  /** How strong it is, 0 to 1. */
  readonly force: number;
}

type DrawFault = (scene: FaultScene) => Fault | undefined;

/** Between two amounts by the force of the fault, by orders of magnitude. */
const amount = ({ force }: FaultScene, low: number, high: number): number => low * (high / low) ** force;

/** Busy places break more often than idle ones, but those do too. */
function pickService(
  { system, random }: FaultScene,
  fits: (service: Service) => boolean,
): Service | undefined {
  const found = system.services.filter(fits);
  if (!found.length) return undefined;
  return random.weighted(
    found.map((service) => [service, (system.usual.rate[service.at] as number) ** 0.4 + 1e-3]),
  );
}
const isProgram = ({ role }: Service): boolean => role === 'entry' || role === 'service';
/** It keeps connections to a database. */
const asksDatabase = (service: Service, { edges, services }: System): boolean =>
  isProgram(service) &&
  edges.some(({ from, to }) => from === service.at && services[to]?.role === 'database');
const isDatabase = ({ role }: Service): boolean => role === 'database';

function pickEdge({ system, random }: FaultScene, fits: (edge: Edge) => boolean): Edge | undefined {
  const found = system.edges.filter(fits);
  return found.length ? random.pick(found) : undefined;
}

const outOf = ({ system }: FaultScene, service: number): readonly Edge[] =>
  system.edges.filter(({ from, async }) => from === service && !async);

/** A rollout in steps. Some stop early as a canary, some are one step. */
export function drawRollout(service: Service, from: number, change: string, random: Random): Rollout {
  const steps = random.weighted<readonly number[]>([
    [[1], 4],
    [[0.5, 1], 2],
    [[0.1, 0.5, 1], 2],
    [[0.05, 0.25, 0.5, 1], 1.5],
    [[0.05], 1],
    [[0.2], 2],
  ]);
  const apart = random.logBetween(30, 900);
  return {
    service: service.at,
    before: service.version,
    version: nextVersion(service.version, random),
    steps: steps.map((share, at) => ({ time: Math.round(from + at * apart), share })),
    change,
  };
}

/** No two releases of one service are called the same. */
function nextVersion(version: string, random: Random): string {
  const [major, minor = '0', patch = '0'] = version.split('.');
  const build = random.hex(3);
  return random.chance(0.5)
    ? `${major}.${Number(minor) + 1}.0-${build}`
    : `${major}.${minor}.${Number(patch) + 1}-${build}`;
}

const GUILTY = 'guilty';

const release =
  (
    nature: Guilt['nature'],
    says: Complaint,
    also: readonly CauseCategory[],
    effectsOf: (scene: FaultScene, service: Service, rollout: Rollout) => Effect[] | undefined,
  ): DrawFault =>
  (scene) => {
    const service = pickService(scene, isProgram);
    if (!service) return undefined;
    const rollout = drawRollout(service, scene.onset, GUILTY, scene.random);
    const effects = effectsOf(scene, service, rollout);
    if (!effects) return undefined;
    return {
      place: { kind: 'service', service: service.at },
      category: 'deploy_regression',
      also,
      effects,
      guilt: { kind: 'deploy', rollout, nature },
      says,
    };
  };

/** A fault of one service that nobody's change brought. */
const inside =
  (
    category: CauseCategory,
    also: readonly CauseCategory[],
    says: Complaint,
    fits: (service: Service, system: System) => boolean,
    amounts: (scene: FaultScene, service: Service) => Partial<Effect>,
  ): DrawFault =>
  (scene) => {
    const service = pickService(scene, (one) => fits(one, scene.system));
    if (!service) return undefined;
    const effect = { from: scene.onset, service: service.at, ...amounts(scene, service) };
    return { place: { kind: 'service', service: service.at }, category, also, effects: [effect], says };
  };

const outwards =
  (
    place: 'edge' | 'callee' | 'outside',
    category: CauseCategory,
    also: readonly CauseCategory[],
    says: Complaint,
    fits: (edge: Edge, system: System) => boolean,
    amounts: (scene: FaultScene, edge: Edge) => Partial<Effect>,
  ): DrawFault =>
  (scene) => {
    const edge = pickEdge(scene, (one) => fits(one, scene.system));
    if (!edge) return undefined;
    const same = place === 'edge' ? [edge] : scene.system.edges.filter(({ to }) => to === edge.to);
    const effects = same.map((one) => ({ from: scene.onset, edge: one.at, ...amounts(scene, one) }));
    const where: Place =
      place === 'edge'
        ? { kind: 'edge', edge: edge.at }
        : { kind: place === 'outside' ? 'outside' : 'service', service: edge.to };
    return { place: where, category, also, effects, says };
  };

const roleOf = (system: System, at: number): Service['role'] => (system.services[at] as Service).role;

/** Every kind of trouble that the simulator knows, by name. */
export const FAULTS: Readonly<Record<string, DrawFault>> = {
  bad_release: release(
    'exception',
    'exception',
    ['service_fault', 'crash_loop'],
    (scene, service, rollout) => [
      {
        from: scene.onset,
        service: service.at,
        rollout,
        fails: amount(scene, 0.01, 0.9),
        early: scene.random.pick([0, 0.5, 1]),
      },
    ],
  ),
  slow_release: release(
    'query',
    'slow',
    ['database_latency', 'service_fault', 'resource_exhaustion'],
    (scene, service, rollout) => {
      const below = outOf(scene, service.at);
      const edge = below.length && scene.random.chance(0.6) ? scene.random.pick(below) : undefined;
      const slower = {
        from: scene.onset,
        service: service.at,
        rollout,
        work: amount(scene, 0.25, 8),
        share: scene.random.pick([1, 1, 0.3]),
      };
      return edge
        ? [slower, { from: scene.onset, edge: edge.at, rollout, calls: 1 + amount(scene, 0.3, 12) }]
        : [slower];
    },
  ),
  leaky_release: release(
    'leak',
    'memory',
    ['resource_exhaustion', 'crash_loop'],
    (scene, service, rollout) => [
      {
        from: scene.onset,
        service: service.at,
        rollout,
        memory: amount(scene, 0.25, 2.5),
        ramp: scene.random.logBetween(900, 5_400),
      },
      { from: scene.onset + 300, service: service.at, rollout, work: amount(scene, 0.1, 2), ramp: 1_800 },
    ],
  ),
  silent_release: release('dropped', 'wrong', ['service_fault'], (scene, service, rollout) => {
    const below = outOf(scene, service.at);
    if (!below.length) return undefined;
    const { at } = scene.random.pick(below);
    return [{ from: scene.onset, edge: at, rollout, calls: 1 - amount(scene, 0.4, 0.98) }];
  }),
  bad_config: (scene) => {
    const edge = pickEdge(
      scene,
      ({ async, from }) => !async && isProgram(scene.system.services[from] as Service),
    );
    if (!edge) return undefined;
    const pool = roleOf(scene.system, edge.to) === 'database' && scene.random.chance(0.5);
    const effect: Effect = pool
      ? { from: scene.onset, service: edge.from, poolCut: 1 - 1 / amount(scene, 3, 25) }
      : { from: scene.onset, edge: edge.at, patience: 1 / amount(scene, 8, 200) };
    return {
      place: { kind: 'service', service: edge.from },
      category: 'bad_config',
      also: pool ? ['connection_pool'] : ['dependency_timeout'],
      effects: [effect],
      guilt: { kind: 'config', nature: pool ? 'pool' : 'timeout' },
      says: pool ? 'pool' : 'timeout',
    };
  },
  bad_flag: (scene) => {
    const service = pickService(scene, isProgram);
    if (!service) return undefined;
    const slow = scene.random.chance(0.4);
    const share = scene.random.pick([0.05, 0.2, 0.5, 1]);
    const hit = slow
      ? { waitMs: service.workMs * amount(scene, 0.5, 15) }
      : { fails: amount(scene, 0.1, 0.9) };
    return {
      place: { kind: 'service', service: service.at },
      category: 'bad_config',
      also: ['deploy_regression', 'service_fault'],
      effects: [{ from: scene.onset, service: service.at, share, ...hit }],
      guilt: { kind: 'flag', nature: 'flag' },
      says: slow ? 'slow' : 'exception',
    };
  },
  surge: (scene) => ({
    place: { kind: 'surge' },
    category: 'traffic_surge',
    also: [],
    effects: [{ from: scene.onset, load: amount(scene, 0.6, 6), ramp: scene.random.logBetween(10, 900) }],
    says: 'busy',
  }),
  cpu_hog: inside('resource_exhaustion', ['service_fault'], 'busy', isProgram, (scene) => ({
    burn: amount(scene, 0.25, 1.6),
    ramp: scene.random.logBetween(1, 300),
  })),
  memory_leak: inside('resource_exhaustion', ['crash_loop'], 'memory', isProgram, (scene) => ({
    memory: amount(scene, 0.3, 3),
    ramp: scene.random.logBetween(900, 7_200),
    work: amount(scene, 0.05, 0.6),
  })),
  crash_loop: inside(
    'crash_loop',
    ['service_fault'],
    'crash',
    ({ role }) => role !== 'vendor',
    (scene) => ({
      restarts: amount(scene, 0.1, 2),
      lost: amount(scene, 0.15, 0.85),
      fails: amount(scene, 0.01, 0.6),
    }),
  ),
  stalled_service: inside(
    'service_fault',
    ['resource_exhaustion', 'hot_key'],
    'slow',
    isProgram,
    (scene, service) => ({
      waitMs: service.workMs * amount(scene, 0.5, 40),
      share: scene.random.pick([1, 1, 0.5, 0.1]),
    }),
  ),
  bad_input: inside('service_fault', [], 'input', isProgram, (scene) => ({
    fails: amount(scene, 0.2, 1),
    share: scene.random.logBetween(0.02, 0.6),
    early: scene.random.pick([0, 1]),
  })),
  database_slow: inside(
    'database_latency',
    ['service_fault', 'resource_exhaustion'],
    'query',
    isDatabase,
    (scene, service) => ({
      waitMs: service.workMs * amount(scene, 0.4, 25),
      burn: scene.random.chance(0.5) ? amount(scene, 0.1, 0.5) : 0,
      ramp: scene.random.logBetween(1, 600),
    }),
  ),
  hot_key: inside('hot_key', ['database_latency'], 'lock', isDatabase, (scene, service) => ({
    waitMs: service.workMs * amount(scene, 5, 150),
    share: scene.random.logBetween(0.03, 0.4),
    fails: amount(scene, 0.002, 0.1),
  })),
  pool: inside('connection_pool', ['database_latency'], 'pool', asksDatabase, (scene) => ({
    poolCut: 1 - 1 / amount(scene, 3, 25),
    ramp: scene.random.logBetween(60, 1_800),
  })),
  bad_node: (scene) => {
    const { system, random, onset } = scene;
    const node = random.pick(system.nodes);
    const on = system.services.filter(({ pods }) => pods.some((pod) => pod.node === node));
    if (!on.length) return undefined;
    const hit = random.chance(0.6)
      ? { work: amount(scene, 0.5, 10), burn: amount(scene, 0.1, 0.5) }
      : { fails: amount(scene, 0.05, 0.9), waitMs: amount(scene, 5, 400) };
    return {
      place: { kind: 'node', node },
      category: 'resource_exhaustion',
      also: ['service_fault', 'network_delay', 'crash_loop'],
      effects: on.map(({ at }) => ({ from: onset, service: at, node, ...hit })),
      says: 'busy',
    };
  },
  disk_full: inside(
    'disk',
    ['database_latency'],
    'disk',
    ({ role }) => role === 'database' || role === 'service',
    (scene, { diskShare }) => ({
      disk: (1 - diskShare) * amount(scene, 0.92, 1.4),
      ramp: scene.random.logBetween(60, 3_600),
    }),
  ),
  rate_limit: inside(
    'rate_limit',
    ['external', 'bad_config'],
    'limit',
    ({ role }) => role !== 'entry' && role !== 'cache',
    (scene) => ({ quota: 1 / amount(scene, 1.25, 8) }),
  ),
  certificate: outwards(
    'callee',
    'certificate',
    [],
    'certificate',
    (edge, system) => roleOf(system, edge.to) !== 'cache',
    (scene) => ({ edgeFails: amount(scene, 0.5, 1) }),
  ),
  name_lookup: outwards(
    'callee',
    'network_delay',
    ['dependency_timeout', 'service_fault'],
    'name',
    (edge) => !edge.async,
    (scene) => ({ edgeFails: amount(scene, 0.03, 0.8), delayMs: amount(scene, 5, 900) }),
  ),
  network_delay: outwards(
    'edge',
    'network_delay',
    ['dependency_timeout'],
    'network',
    (edge) => !edge.async,
    (scene) => ({
      delayMs: amount(scene, 4, 600),
      edgeFails: scene.random.chance(0.3) ? amount(scene, 0.005, 0.2) : 0,
    }),
  ),
  vendor_outage: outwards(
    'outside',
    'external',
    ['dependency_timeout'],
    'vendor',
    (edge, system) => roleOf(system, edge.to) === 'vendor',
    (scene) => ({
      edgeFails: amount(scene, 0.05, 1),
      delayMs: amount(scene, 5, 2_000),
    }),
  ),
  cache_failure: inside(
    'service_fault',
    ['crash_loop', 'database_latency', 'resource_exhaustion'],
    'cache',
    ({ role }) => role === 'cache',
    (scene) => ({
      misses: amount(scene, 0.25, 1),
      ...(scene.random.chance(0.4) ? { fails: amount(scene, 0.1, 1) } : {}),
    }),
  ),
  queue_backlog: inside(
    'service_fault',
    ['resource_exhaustion', 'dependency_timeout'],
    'lag',
    ({ role }) => role === 'queue',
    (scene) => ({
      stuck: amount(scene, 0.45, 1),
      waitMs: amount(scene, 1, 100),
    }),
  ),
};

const NOBODY: Omit<Fault, 'effects'> = {
  place: { kind: 'none' },
  category: 'none',
  also: [],
  says: 'nothing',
};

/** Alerts behind which there is nothing: pure chance, a blip that is over, or the time of day. */
export const QUIET: Readonly<Record<string, DrawFault>> = {
  none_quiet: () => ({ ...NOBODY, effects: [] }),
  none_blip: (scene) => {
    const service = pickService(scene, () => true);
    if (!service) return undefined;
    const from = scene.onset - scene.random.logBetween(1_200, 20_000);
    return {
      ...NOBODY,
      effects: [
        {
          from,
          until: from + scene.random.between(30, 400),
          service: service.at,
          waitMs: service.workMs * amount(scene, 0.5, 6),
          fails: amount(scene, 0.002, 0.1),
        },
      ],
    };
  },
  none_rhythm: (scene) => ({
    ...NOBODY,
    effects: [{ from: scene.onset - 5_400, load: scene.random.between(-0.2, 0.25), ramp: 7_200 }],
  }),
};

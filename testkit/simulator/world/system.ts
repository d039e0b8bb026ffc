import type { Random } from '../random.ts';
import { openNames, type Role } from './vocabulary.ts';

/** One program that is called, with everything that its physics needs. */
export interface Service {
  readonly at: number;
  readonly name: string;
  readonly role: Role;
  readonly words: readonly string[];
  /** How long one request takes by itself in the middle, without waiting. */
  readonly workMs: number;
  /** The spread of the logarithm of a request's time: its tail. */
  readonly spread: number;
  /** How busy it is at its usual load, 0 to 1. */
  readonly busy: number;
  /** The share of requests that fail on any day. */
  readonly fails: number;
  /** Noise of its latency: size and seconds for which it remembers itself. */
  readonly noise: { readonly size: number; readonly memory: number };
  /** How much wilder than chance its failures come. */
  readonly burst: number;
  readonly memoryShare: number;
  readonly diskShare: number;
  /** Connections to databases, as a multiple of those in use at the usual load. */
  readonly pool: number;
  readonly pods: readonly Pod[];
  readonly version: string;
  /** Whether it measures itself; others may still measure the calls to it. */
  readonly reports: boolean;
  /** Work that comes every so many seconds, apart from requests. */
  readonly job: { readonly every: number; readonly lasts: number; readonly busy: number } | undefined;
}

interface Pod {
  readonly name: string;
  readonly node: string;
}

export interface Edge {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  /** Calls for each request of the caller. */
  readonly calls: number;
  readonly retries: number;
  /** As a multiple of what the callee usually takes. */
  readonly patience: number;
  /** How much of a failed call fails the caller's request: 1 everything, 0 nothing. */
  readonly needs: number;
  /** Nobody waits for the answer. */
  readonly async: boolean;
  /** The cache that is asked first, and the share that it answers. */
  readonly cache: { readonly at: number; readonly hits: number } | undefined;
  readonly noise: number;
}

/** Services in the order of calls: whoever calls comes before whom it calls. */
export interface System {
  readonly services: readonly Service[];
  readonly edges: readonly Edge[];
  readonly nodes: readonly string[];
  /** Requests a second from outside to each entry. */
  readonly load: number;
  /** How much of it the time of day takes and gives. */
  readonly rhythm: number;
  readonly peakHour: number;
  readonly loadNoise: { readonly size: number; readonly memory: number };
  readonly usual: Usual;
}

/** What the usual load of each service is, worked out once from the graph. */
interface Usual {
  readonly rate: readonly number[];
}

interface Draft {
  readonly roles: Role[];
  readonly edges: Omit<Edge, 'at'>[];
}

export function drawSystem(random: Random): System {
  const size = Math.round(random.logBetween(5, 60));
  const { roles, edges: drafted } = drawGraph(size, random.fork('graph'));
  const edges = drafted.map((edge, at) => ({ ...edge, at }));
  const names = openNames(random.fork('names'));
  const nodes = drawNodes(size, random.fork('nodes'));
  const load = random.logBetween(0.3, 900);
  const rhythm = random.between(0.05, 0.6);
  const loadNoise = { size: random.logBetween(0.02, 0.25), memory: random.logBetween(20, 1_200) };
  const peaks = peakLoads(roles, edges, { rhythm, loadNoise });
  const services = roles.map((role, at) =>
    drawService(at, role, names(role), { nodes, peak: peaks[at] as number }, random.fork(`service ${at}`)),
  );
  return {
    services,
    edges,
    nodes,
    load,
    rhythm,
    peakHour: random.between(9, 21),
    loadNoise,
    usual: { rate: usualRates(roles, edges, load) },
  };
}

/** Layers of services with stores at the bottom; everybody but the entries is called by somebody. */
function drawGraph(size: number, random: Random): Draft {
  const roles: Role[] = ['entry'];
  if (size > 12 && random.chance(0.4)) roles.push('entry');
  const entries = roles.length;
  const stores = Math.max(1, Math.round(size * random.between(0.15, 0.4)));
  while (roles.length < size - stores) roles.push('service');
  const inner = roles.length;
  const edges: Omit<Edge, 'at'>[] = [];
  const linked = new Set<string>();
  const link = (from: number, to: number, parts: Partial<Edge> = {}): void => {
    if (linked.has(`${from} ${to}`)) return;
    linked.add(`${from} ${to}`);
    edges.push({
      from,
      to,
      calls: random.chance(0.7) ? random.between(0.15, 1.2) : random.logBetween(0.01, 4),
      retries: random.weighted([
        [0, 5],
        [1, 3],
        [2, 2],
      ]),
      patience: random.logBetween(5, 60),
      needs: random.chance(0.75) ? random.between(0.7, 1) : random.between(0, 0.3),
      async: false,
      cache: undefined,
      noise: random.logBetween(0.02, 0.3),
      ...parts,
    });
  };
  const depth = random.int(2, 6);
  const layer = roles.map((_, at) =>
    at < entries ? 0 : 1 + Math.floor(((at - entries) * depth) / (inner - entries)),
  );
  for (let to = entries; to < inner; to++) {
    const above = layer.flatMap((of, at) => (of < (layer[to] as number) ? [at] : []));
    const near = above.filter((at) => layer[at] === (layer[to] as number) - 1);
    for (const from of random.some(near.length ? near : above, random.int(1, 2))) link(from, to);
    if (random.chance(0.2)) link(random.pick(above), to);
  }
  const users = roles.flatMap((_, at) => (at >= entries || inner === entries ? [at] : []));
  addStores({ roles, stores, users, link, random });
  return { roles, edges };
}

interface StoreDraft {
  readonly roles: Role[];
  readonly stores: number;
  readonly users: readonly number[];
  readonly link: (from: number, to: number, parts?: Partial<Edge>) => void;
  readonly random: Random;
}

function addStores({ roles, stores, users, link, random }: StoreDraft): void {
  for (let left = stores; left > 0; left--) {
    const role = random.weighted<Role>([
      ['database', 5],
      ['cache', 2],
      ['queue', 1.5],
      ['vendor', 1.5],
    ]);
    const at = roles.length;
    const owners = random.some(
      users,
      random.weighted([
        [1, 6],
        [2, 3],
        [3, 1],
      ]),
    );
    roles.push(role);
    if (role === 'cache' && left > 1) {
      // A cache stands before a database, which gets what it does not know.
      roles.push('database');
      left--;
      for (const from of owners) {
        const calls = random.between(0.8, 4);
        link(from, at, { calls, needs: 0, patience: random.between(10, 60) });
        link(from, at + 1, { calls, cache: { at, hits: random.between(0.7, 0.97) }, needs: 1 });
      }
    } else if (role === 'queue') {
      for (const from of owners)
        link(from, at, { calls: random.between(0.1, 1), async: true, needs: random.between(0, 0.5) });
    } else {
      for (const from of owners)
        link(from, at, {
          calls: role === 'vendor' ? random.between(0.1, 1) : random.between(0.5, 5),
          needs: 1,
        });
    }
  }
}

const drawNodes = (size: number, random: Random): string[] =>
  Array.from({ length: Math.max(2, Math.round(size * random.between(0.15, 0.6))) }, (_, at) =>
    random.chance(0.5) ? `node-${at + 1}` : `ip-10-0-${random.int(1, 60)}-${at + 10}`,
  );

const isInner = (role: Role): boolean => role === 'entry' || role === 'service';

function drawService(
  at: number,
  role: Role,
  { name, words }: { readonly name: string; readonly words: readonly string[] },
  { nodes, peak }: { readonly nodes: readonly string[]; readonly peak: number },
  random: Random,
): Service {
  const count =
    role === 'vendor'
      ? 0
      : isInner(role)
        ? random.weighted([
            [1, 3],
            [2, 4],
            [3, 3],
            [6, 2],
          ])
        : 1;
  const version = `v${random.int(1, 6)}.${random.int(0, 40)}.${random.int(0, 9)}`;
  return {
    at,
    name,
    role,
    words,
    workMs:
      role === 'cache'
        ? random.logBetween(0.3, 3)
        : isInner(role)
          ? random.logBetween(2, 250)
          : random.logBetween(1, 120),
    spread: random.between(0.25, 1.1),
    busy: random.between(0.05, 0.75) / peak,
    fails: random.chance(0.35) ? 0 : random.logBetween(0.00002, 0.02),
    noise: { size: random.logBetween(0.02, 0.4), memory: random.logBetween(5, 900) },
    burst: random.logBetween(0.02, 1.5),
    memoryShare: random.between(0.15, 0.75),
    diskShare: random.between(0.1, 0.75),
    pool: peak * random.between(1.5, 6),
    pods: Array.from({ length: count }, (_, pod) => ({
      name: `${name.toLowerCase()}-${random.hex(5)}-${pod}`,
      node: random.pick(nodes),
    })),
    version,
    reports: role === 'vendor' ? false : isInner(role) ? random.chance(0.95) : random.chance(0.6),
    job: random.chance(0.12)
      ? {
          every: random.pick([600, 900, 1_800, 3_600]),
          lasts: random.between(30, 240),
          busy: random.between(0.02, 0.15),
        }
      : undefined,
  };
}

/** What runs on a usual day was sized for its peak: twice the spread of its load, at the busiest hour. */
function peakLoads(
  roles: readonly Role[],
  edges: readonly Edge[],
  { rhythm, loadNoise }: Pick<System, 'rhythm' | 'loadNoise'>,
): number[] {
  const variance = roles.map(() => loadNoise.size ** 2);
  for (const { from, to, noise } of edges.toSorted((one, other) => one.from - other.from))
    variance[to] = Math.max(variance[to] as number, (variance[from] as number) + noise ** 2);
  return variance.map((of) => (1 + rhythm) * Math.exp(2 * Math.sqrt(of)));
}

function usualRates(roles: readonly Role[], edges: readonly Edge[], load: number): number[] {
  const rate = roles.map((role) => (role === 'entry' ? load : 0));
  // Edges of one caller all come after those that lead to it, once they are walked in the order of callers.
  for (const { from, to, calls, cache } of edges.toSorted((one, other) => one.from - other.from))
    rate[to] = (rate[to] as number) + (rate[from] as number) * calls * (cache ? 1 - cache.hits : 1);
  return rate;
}

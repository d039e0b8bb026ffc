import { openRandom, type Random } from '../random.ts';

export const NAMINGS = ['plain', 'prometheus', 'opentelemetry', 'cloudwatch', 'opaque'] as const;
export type Naming = (typeof NAMINGS)[number];
const SIGNALS = [
  'requests',
  'failures',
  'latency',
  'cpu',
  'memory',
  'disk',
  'network',
  'in_flight',
  'pool',
  'queue',
  'hits',
  'restarts',
  'replicas',
  'refused',
  'timeouts',
  'node',
  'expiry',
  'business',
] as const;
type SignalName = (typeof SIGNALS)[number];
export type LatencyStatistic = 'avg' | 'p50' | 'p90' | 'p95' | 'p99';

/** How telemetry looks, whatever happened. It is drawn without a look at the truth. */
export interface Form {
  readonly seed: string;
  readonly naming: Naming;
  /** Seconds between samples. */
  readonly step: number;
  readonly baselineSamples: number;
  /** Samples of the incident before the onset, and after the alert. */
  readonly lead: number;
  readonly after: number;
  /** Seconds between the baseline and the incident. */
  readonly apart: number;
  /** The incident is dated after its onset, and the baseline holds some of it. */
  readonly late: boolean;
  readonly counts: 'count' | 'rate' | 'counter';
  readonly failures: 'ratio' | 'percent' | 'availability' | 'count';
  readonly latencyUnit: 'ms' | 's' | 'min';
  readonly ratioUnit: 'ratio' | 'percent';
  readonly sizeUnit: 'bytes' | 'megabytes' | 'percent';
  readonly statistics: readonly LatencyStatistic[];
  readonly signals: ReadonlySet<SignalName>;
  readonly byVersion: boolean;
  readonly byEdge: 'no' | 'caller' | 'callee';
  readonly byInstance: boolean;
  /** The label that names the machine below a pod, where series of pods have one. */
  readonly machineLabel: string | undefined;
  /** All services, or those around the alert. */
  readonly scope: 'all' | 'near';
  /** What a service without requests reports. */
  readonly idle: 'missing' | 'zero';
  /** The share of samples that are missing. */
  readonly gaps: number;
  readonly alertService: boolean;
  readonly alertMetric: boolean;
  /** Sampled traces in each of the two windows. */
  readonly traces: number;
  readonly clientSpans: boolean;
  readonly logs: 'none' | 'plain' | 'json' | 'logfmt' | 'stack';
  readonly logLines: number;
  readonly logLevels: boolean;
  /** Programs that say what they lack, or only that something failed. */
  readonly outspoken: boolean;
  readonly changes: 'none' | 'summaries' | 'diffs';
  readonly rolloutTold: 'start' | 'end' | 'steps';
  readonly topology: 'none' | 'part' | 'whole';
  readonly feed: 'none' | 'convention' | 'other';
}

export function drawForm(seed: string): Form {
  const random = openRandom(`form ${seed}`);
  const step = random.weighted([
    [1, 1],
    [5, 1],
    [10, 1],
    [15, 2],
    [30, 2],
    [60, 5],
    [120, 1],
    [300, 2],
  ]);
  return {
    seed,
    naming: random.weighted([
      ['plain', 3],
      ['prometheus', 3],
      ['opentelemetry', 2],
      ['cloudwatch', 2],
      ['opaque', 1],
    ]),
    step,
    baselineSamples: Math.round(random.logBetween(30, 400)),
    lead: Math.round(random.logBetween(1, 25)),
    after: Math.round(random.logBetween(1, 20)),
    apart: random.chance(0.7) ? 0 : random.pick([1_800, 21_600, 86_400, 259_200]),
    late: random.chance(0.1),
    counts: random.pick(['count', 'rate', 'counter'] as const),
    failures: random.pick(['ratio', 'percent', 'availability', 'count'] as const),
    latencyUnit: random.weighted([
      ['ms', 5],
      ['s', 4],
      ['min', 1],
    ]),
    ratioUnit: random.pick(['ratio', 'percent'] as const),
    sizeUnit: random.pick(['bytes', 'megabytes', 'percent'] as const),
    statistics: drawStatistics(random),
    signals: drawSignals(random),
    byVersion: random.chance(0.35),
    byEdge: random.weighted([
      ['no', 6],
      ['caller', 2],
      ['callee', 2],
    ]),
    byInstance: random.chance(0.12),
    machineLabel: random.fork('machine').pick(['node', 'k8s.node.name', 'instance', 'host', undefined]),
    scope: random.chance(0.2) ? 'near' : 'all',
    idle: random.pick(['missing', 'zero'] as const),
    gaps: random.chance(0.4) ? random.logBetween(0.002, 0.15) : 0,
    alertService: random.chance(0.7),
    alertMetric: random.chance(0.6),
    traces: random.chance(0.5) ? 0 : Math.round(random.logBetween(5, 120)),
    clientSpans: random.chance(0.5),
    logs: random.weighted([
      ['none', 4],
      ['plain', 2],
      ['json', 2],
      ['logfmt', 1],
      ['stack', 2],
    ]),
    logLines: Math.round(random.logBetween(60, 2_000)),
    logLevels: random.chance(0.8),
    outspoken: random.chance(0.6),
    changes: random.weighted([
      ['none', 4],
      ['summaries', 3],
      ['diffs', 4],
    ]),
    rolloutTold: random.weighted([
      ['start', 4],
      ['end', 2],
      ['steps', 2],
    ]),
    topology: random.weighted([
      ['none', 4],
      ['part', 1],
      ['whole', 5],
    ]),
    feed: random.weighted([
      ['none', 4],
      ['convention', 3],
      ['other', 3],
    ]),
  };
}

function drawStatistics(random: Random): LatencyStatistic[] {
  const all: LatencyStatistic[] = ['avg', 'p50', 'p90', 'p95', 'p99'];
  return random.weighted<LatencyStatistic[]>([
    [['avg'], 2],
    [['p95'], 2],
    [['p99'], 1],
    [['p50', 'p99'], 2],
    [['p90', 'p95', 'p99'], 1],
    [all, 2],
  ]);
}

const USUAL: Readonly<Record<SignalName, number>> = {
  requests: 0.85,
  failures: 0.85,
  latency: 0.9,
  cpu: 0.6,
  memory: 0.5,
  disk: 0.25,
  network: 0.25,
  in_flight: 0.25,
  pool: 0.3,
  queue: 0.5,
  hits: 0.4,
  restarts: 0.3,
  replicas: 0.2,
  refused: 0.25,
  timeouts: 0.25,
  node: 0.3,
  expiry: 0.15,
  business: 0.3,
};

/** At least one thing of requests, failures and time is always measured. */
function drawSignals(random: Random): ReadonlySet<SignalName> {
  const drawn = new Set(SIGNALS.filter((signal) => random.chance(USUAL[signal])));
  if (!drawn.has('latency') && !drawn.has('failures'))
    drawn.add(random.pick(['latency', 'failures'] as const));
  return drawn;
}

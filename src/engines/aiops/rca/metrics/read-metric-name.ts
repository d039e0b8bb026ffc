export type Signal =
  | 'latency'
  | 'requests'
  | 'errors'
  | 'availability'
  | 'cpu'
  | 'memory'
  | 'disk'
  | 'network'
  | 'saturation'
  | 'restarts'
  | 'expiry'
  /** Known, and no sign of anything: what something may have at most, how often something was timed. */
  | 'setting'
  | 'other';

/** What a metric measures, read from its name alone. */
export interface MetricMeaning {
  readonly signal: Signal;
  /** The service as it serves, as a caller of others, or the machine below it. */
  readonly side: 'server' | 'client' | 'node';
  /** The service at the other end, where a metric is of one call edge. */
  readonly caller?: string;
  readonly callee?: string;
  /** The database at the other end, where that is no service: its trouble is its user's. */
  readonly store?: string;
  /** Where it is of the pods of one version only. */
  readonly version?: string;
  /** Which statistic: the mean and the median tell a shift of everything, the tail is noisier. */
  readonly statistic: 'mean' | 'middle' | 'tail' | 'plain';
  /** The way that is bad: more, less, or any. */
  readonly bad: 'up' | 'down' | 'both';
  /** The name without prefixes and suffixes, in words. */
  readonly words: readonly string[];
}

/** Of all requests of a service, not of some callers, of one callee or of one version. */
export const isWhole = ({ caller, callee, store, version }: MetricMeaning): boolean =>
  caller === undefined && callee === undefined && store === undefined && version === undefined;

/** Tried in order: the first that matches wins, so the telling words come before the general ones. */
const PATTERNS: readonly (readonly [RegExp, Signal])[] = [
  [/(?:expir|until_expiry|not_?after)/, 'expiry'],
  [/(?:restart|crash_?loop|oom_?kill|panic)/, 'restarts'],
  [
    /(?:availab|success_?(?:rate|ratio|pct)|uptime|(?:^|_)up$|ready_replicas|replicas_(?:ready|available))/,
    'availability',
  ],
  [
    /(?:error|fail|exception|5xx|4xx|(?:^|_)50[0-9](?:_|$)|(?:^|_)429(?:_|$)|timeouts?(?:_|$)|cancel|reject(?:ed|ion)|dropped|aborted|exhausted|retr(?:y|ies)|missing)/,
    'errors',
  ],
  [
    /(?:pool|queue|backlog|saturat|in_?flight|in_use|connections?|conns|sockets?|threads?|goroutines|(?:^|_)lag(?:_|$)|wait|throttl|file_?desc|(?:^|_)fds?(?:_|$)|hit_ratio|evict|inodes?)/,
    'saturation',
  ],
  [/(?:latency|duration|response_?time|rtt|elapsed|(?:^|_)p(?:50|75|90|95|99|999)(?:_|$))/, 'latency'],
  [/(?:cpu|load_?(?:1|5|15)?$|millicores)/, 'cpu'],
  [/(?:mem|heap|(?:^|_)rss(?:_|$)|working_set|gc_)/, 'memory'],
  [/(?:disk|(?:^|_)io(?:_|$)|iops|fs_|filesystem|volume|block_|syscall_(?:read|write)|diskio)/, 'disk'],
  [
    /(?:(?:^|_)(?:net|rx|tx)(?:_|$)|network|packet|tcp|bytes_(?:in|out|sent|received)|receive_bytes|transmit_bytes|bandwidth)/,
    'network',
  ],
  [
    /(?:request|rps|qps|(?:^|_)load(?:_|$)|throughput|queries|calls|(?:^|_)tps(?:_|$)|workload|traffic)/,
    'requests',
  ],
  [/(?:rows|count)/, 'saturation'],
];

export function readMetricName(name: string): MetricMeaning {
  const [plain = name, version] = name.split('@');
  const { base, caller, callee } = edgeOf(plain);
  const lower = words(base);
  const isNode = /^(?:node|host|machine)_/.test(lower);
  const isClient = /(?:^|_)(?:client|outbound|upstream|egress|downstream)_/.test(lower);
  const signal = signalOf(lower);
  return {
    signal,
    side: isNode ? 'node' : isClient || callee !== undefined ? 'client' : 'server',
    ...(caller === undefined ? {} : { caller }),
    ...(callee === undefined ? {} : { callee }),
    ...(version === undefined ? {} : { version }),
    statistic: statisticOf(lower),
    bad: badWay(signal, lower),
    words: lower.split('_').filter(Boolean),
  };
}

const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');

/** What something may have at most is a setting, and how often something was timed is neither how long nor how full. */
const NO_USAGE =
  /(?:^|_)(?:limit|max|capacity)(?:_bytes)?$|_(?:wait_?time|duration|latency)_(?:per_second|count|rate)$/;
const USED: ReadonlySet<Signal> = new Set(['cpu', 'memory', 'disk', 'saturation']);

function signalOf(lower: string): Signal {
  const signal = patternOf(lower);
  return USED.has(signal) && NO_USAGE.test(lower) ? 'setting' : signal;
}

const patternOf = (lower: string): Signal =>
  PATTERNS.find(([pattern]) => pattern.test(lower))?.[1] ?? 'other';

/** `latency_ms_p90_to_cart` is of one call edge; `time_to_first_byte` is not: what comes before must be a signal. */
function edgeOf(plain: string): { base: string; caller?: string; callee?: string } {
  const [, base, way, end] = /^(.+?)_(from|to)_(.+)$/.exec(plain) ?? [];
  if (base === undefined || end === undefined || !CALL_SIGNALS.has(signalOf(words(base))))
    return { base: plain };
  return way === 'from' ? { base, caller: end } : { base, callee: end };
}

const CALL_SIGNALS: ReadonlySet<Signal> = new Set(['latency', 'requests', 'errors', 'availability']);

function statisticOf(lower: string): MetricMeaning['statistic'] {
  if (/(?:^|_)(?:avg|mean|average)(?:_|$)/.test(lower)) return 'mean';
  if (/(?:^|_)(?:p50|median)(?:_|$)/.test(lower)) return 'middle';
  return /(?:^|_)(?:p\d+|max)(?:_|$)/.test(lower) ? 'tail' : 'plain';
}

/** Nobody is harmed by waiting less. */
const WAITING = /wait|pending|backlog|throttl|exhaust|(?:^|_)lag(?:_|$)/;

function badWay(signal: Signal, lower: string): MetricMeaning['bad'] {
  if (signal === 'availability' || signal === 'expiry' || lower.includes('hit_ratio')) return 'down';
  if (signal === 'latency' || signal === 'errors' || signal === 'restarts') return 'up';
  if (signal === 'cpu' || signal === 'memory') return 'up';
  if (signal === 'saturation' && WAITING.test(lower)) return 'up';
  return 'both';
}

import { apart, EXPIRY, FAILURES, sayingOf } from '../sayings.ts';
import { readLabels } from './read-labels.ts';

export type Signal =
  | 'latency'
  | 'requests'
  | 'errors'
  | 'availability'
  | 'cpu'
  | 'memory'
  | 'disk'
  | 'network'
  /** How much is taken of what there is so much of. */
  | 'saturation'
  /** How long or how many wait for it. */
  | 'waiting'
  | 'restarts'
  | 'expiry'
  /** Known, and no sign of anything: what something may have at most, how often something was timed. */
  | 'setting'
  | 'other';

/** What a metric measures, read from its name alone. */
export interface MetricMeaning {
  readonly signal: Signal;
  /** Of calls that are answered or made, of what a process needs for it, or of something else. */
  readonly of: 'calls' | 'resources' | 'else';
  /** The service as it serves, as a caller of others, or the machine below it. */
  readonly side: 'server' | 'client' | 'node';
  /** The service at the other end, where a metric is of one call edge. */
  readonly caller?: string;
  readonly callee?: string;
  /** The database at the other end, where that is no service: its trouble is its user's. */
  readonly store?: string;
  /** Where it is of the pods of one version only. */
  readonly version?: string;
  /** Where it is of one replica only, and of those on one machine. */
  readonly replica?: string;
  readonly machine?: string;
  /** Whether it is of the slowest few only. */
  readonly tail: boolean;
  /** Whether it is a part of a whole, not so many of something. */
  readonly share: boolean;
  readonly percent: boolean;
  /** The way that is bad: more, less, or any. */
  readonly bad: 'up' | 'down' | 'both';
  /** The name without version, replica and ends of a call. */
  readonly base: string;
  /** The same cut into words. */
  readonly words: readonly string[];
}

/** Of all requests of a service, not of some callers, of one callee, of one version or of one replica. */
export const isWhole = ({ caller, callee, store, version, replica }: MetricMeaning): boolean =>
  [caller, callee, store, version, replica].every((part) => part === undefined);

/**
 * Beginnings of the words by which OpenTelemetry, Prometheus' exporters, Kubernetes and CloudWatch call what they measure.
 * The first row that a name says one of wins: what went wrong comes before what it went wrong with, and what a call needs
 * before the call.
 */
const SIGNALS: readonly (readonly [
  Signal,
  MetricMeaning['of'],
  MetricMeaning['bad'],
  words: readonly string[],
])[] = [
  ['expiry', 'else', 'down', EXPIRY],
  ['restarts', 'resources', 'up', ['restart', 'crash', 'oom']],
  ['availability', 'calls', 'down', ['availab', 'success', 'ready', 'up']],
  ['errors', 'calls', 'up', FAILURES],
  ['waiting', 'resources', 'up', ['wait', 'pending', 'lag', 'throttl']],
  ['saturation', 'resources', 'down', ['hit rat']],
  ['saturation', 'resources', 'both', ['pool', 'queue', 'conn', 'thread', 'in flight', 'cache']],
  ['cpu', 'resources', 'up', ['cpu']],
  ['memory', 'resources', 'up', ['memory', 'heap', 'gc']],
  ['disk', 'resources', 'both', ['disk', 'filesystem', 'volume']],
  ['network', 'resources', 'both', ['network']],
  ['latency', 'calls', 'up', ['latency', 'duration', 'response time', '延迟']],
  ['requests', 'calls', 'both', ['request', 'invocation', 'throughput', 'rps']],
];
const ROWS = SIGNALS.map(([signal, of, bad, words]) => ({ signal, of, bad, telling: sayingOf(words) }));
const UNKNOWN = { signal: 'other', of: 'else', bad: 'both' } as const;
/** What a call was answered with. */
const FAILED_CODE = /^[45](?:xx|\d\d)$/;
const PERCENTS = ['percent', 'pct'];
const SHARES = ['ratio', 'rate', 'availability'];
const LIMITS = ['limit', 'max'];
/** Together they tell how often something was timed, not how long it took. */
const TIMINGS = ['time', 'per'];
const MACHINES = ['node', 'host'];
const CALLERS = ['client', 'outbound'];

export function readMetricName(name: string): MetricMeaning {
  const { name: whole, replica, machine } = readLabels(name);
  const [plain = whole, version] = whole.split('@');
  const { base, caller, callee } = edgeOf(plain);
  const words = wordsOf(base);
  const has = (some: readonly string[]): boolean => some.some((word) => words.includes(word));
  const { signal, of, bad } = rowsOf(base)[0] ?? UNKNOWN;
  const percent = has(PERCENTS);
  const share = percent || has(SHARES);
  const isSetting =
    of === 'resources' &&
    ((!share && LIMITS.includes(words.at(-1) ?? '')) || TIMINGS.every((word) => words.includes(word)));
  return {
    signal: isSetting ? 'setting' : signal,
    of: isSetting ? 'else' : of,
    side: MACHINES.includes(words[0] ?? '')
      ? 'node'
      : callee !== undefined || (of === 'calls' && has(CALLERS))
        ? 'client'
        : 'server',
    ...(caller === undefined ? {} : { caller }),
    ...(callee === undefined ? {} : { callee }),
    ...(version === undefined ? {} : { version }),
    ...(replica === undefined ? {} : { replica }),
    ...(machine === undefined ? {} : { machine }),
    tail: words.some((word) => /^p[6-9]\d+$|^max/.test(word)),
    share,
    percent,
    bad,
    base,
    words,
  };
}

/** Labels tell which one, not what. */
const said = (name: string): string => apart(name.split('{', 1)[0] ?? name);
const wordsOf = (name: string): string[] =>
  said(name)
    .split(/[^a-z\d]+/)
    .filter(Boolean);

/** Everything that a name, or a title, speaks of. */
export const signalsIn = (name: string): readonly Signal[] => rowsOf(name).map(({ signal }) => signal);

function rowsOf(name: string): typeof ROWS {
  const text = said(name);
  const failed = wordsOf(name).some((word) => FAILED_CODE.test(word));
  return ROWS.filter(({ signal, telling }) => telling.test(text) || (signal === 'errors' && failed));
}

/** `latency_ms_p90_to_cart` is of one call edge; `time_to_first_byte` is not: what comes before must be of calls. */
function edgeOf(plain: string): { base: string; caller?: string; callee?: string } {
  const [, base, way, end] = /^(.+?)_(from|to)_(.+)$/.exec(plain) ?? [];
  if (base === undefined || end === undefined || rowsOf(base)[0]?.of !== 'calls') return { base: plain };
  return way === 'from' ? { base, caller: end } : { base, callee: end };
}

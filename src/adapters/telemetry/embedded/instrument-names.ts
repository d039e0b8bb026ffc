import { machineName } from '#kit/machine-name';
import { peerName } from '#kit/peer-name';
import type { SeriesInfo } from './read-series.ts';

/** Dots and the like as `_`; what a unit or a counter adds to the end is left out. */
export const plainName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/_total$/, '')
    .replace(/_(?:seconds|milliseconds|ms)$/, '')
    .toLowerCase();

const SERVED =
  /^(?:http|rpc|grpc)_(?:server_)?(?:request_duration|requests?|duration|call_duration|handling|handled)$/;
const CALLED =
  /^(?:http|rpc|grpc|db|redis|messaging)_client_(?:request_duration|operation_duration|requests?|duration|call_duration|handling)$/;

export const isServed = ({ name }: SeriesInfo): boolean => SERVED.test(plainName(name));
export const isCalled = ({ name }: SeriesInfo): boolean => CALLED.test(plainName(name));

const CODE_KEYS = [
  'http.response.status_code',
  'http.status_code',
  'rpc.response.status_code',
  'rpc.grpc.status_code',
  'status_code',
  'code',
  'status',
];
export const VERSION_KEYS = ['service.version', 'version'];

const first = (attributes: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined =>
  keys
    .map((key) => attributes[key] ?? attributes[key.replaceAll('.', '_')])
    .find((value) => value !== undefined && value !== '');

/** The code of an answer, or the kind of an error where there was none. */
export const codeOf = ({ attributes }: SeriesInfo): string | undefined =>
  first(attributes, CODE_KEYS) ?? first(attributes, ['error.type']);

export const versionOf = ({ attributes, version }: SeriesInfo): string =>
  first(attributes, VERSION_KEYS) ?? version;

export const machineOf = ({ attributes }: SeriesInfo): string => machineName(attributes) ?? '';

const GRPC_BAD =
  /^(?:2|4|8|10|13|14|15|unknown|deadline_?exceeded|resource_?exhausted|aborted|internal|unavailable|data_?loss)$/i;

/** Server errors and refusals for load are failures; what a caller did wrong is not. */
export function isFailure(series: SeriesInfo): boolean {
  const code = codeOf(series);
  if (code === undefined) return false;
  if (/^\d{3}$/.test(code)) return code >= '500' || code === '429';
  if (/^(?:rpc|grpc)/.test(series.name)) return GRPC_BAD.test(code);
  return !/^(?:ok|unset|success|[0-9]|[12345]xx)$/i.test(code) || /^5xx$/i.test(code);
}

/** Codes that get a series of their own: client and server errors, and kinds of errors without a code. */
export const isListed = (series: SeriesInfo): boolean =>
  isFailure(series) || /^4\d\d$|^4xx$/i.test(codeOf(series) ?? '');

/** The service at the other end of a call. */
export const calleeOf = ({ attributes }: SeriesInfo): string | undefined => peerName(attributes);

/** What turns a duration into milliseconds; undefined where it is none. */
export function toMs({ name, unit }: SeriesInfo): number | undefined {
  const known: Readonly<Record<string, number>> = {
    s: 1_000,
    ms: 1,
    us: 0.001,
    µs: 0.001,
    ns: 0.000001,
    min: 60_000,
    h: 3_600_000,
  };
  if (unit !== '')
    return known[unit] ?? (unit === 'seconds' ? 1_000 : unit === 'milliseconds' ? 1 : undefined);
  if (/(?:_ms|milliseconds)$/.test(name)) return 1;
  return /(?:seconds|duration)$/.test(name) ? 1_000 : undefined;
}

/** Names that say more than those of the instruments: a pool is a resource of the service that owns it. */
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/^db_client_connections?_count$|^db_client_connections_usage$/, 'connection_pool_connections'],
  [/^db_client_connections?_pending_requests$/, 'connection_pool_waiting'],
  [/^db_client_connections?_(.+)$/, 'connection_pool_$1'],
  [/^(?:process_cpu|process_cpu_time|process_cpu_utilization|cpu)$/, 'cpu_usage'],
  [/^process_memory_usage$|^process_resident_memory(?:_bytes)?$/, 'memory_bytes'],
  [/^http_server_active_requests$/, 'requests_in_flight'],
];

export function signalName(name: string): string {
  const plain = plainName(name);
  for (const [pattern, better] of RENAMED) if (pattern.test(plain)) return plain.replace(pattern, better);
  return plain;
}

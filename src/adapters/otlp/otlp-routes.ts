import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { API, type Contract } from '#spec/api';
import {
  defineRoute,
  type Route,
  type RouteAnswer,
  type RouteRequest,
  type TelemetryBatch,
  type TelemetrySink,
} from '#spec/ports';
import { encodeMessage } from '#kit/protobuf';
import { decodeProtobuf } from './decode-protobuf.ts';
import { type Read, readLogs, readMetrics, readTraces } from './read-request.ts';
import { LOGS_REQUEST, METRICS_REQUEST, type Shape, TRACES_REQUEST } from './shapes.ts';

const { maxBytes: MOST_BYTES } = API.otlp.metrics;
const MOST_INFLATED = 32_000_000;

interface Signal {
  readonly contract: Contract;
  readonly shape: Shape;
  /** The name of the count of what was not taken. */
  readonly rejected: string;
  read(request: unknown, now: number): Read<unknown> & { readonly batch: TelemetryBatch };
}

const SIGNALS: readonly Signal[] = [
  {
    contract: API.otlp.metrics,
    shape: METRICS_REQUEST,
    rejected: 'rejectedDataPoints',
    read: (request) => {
      const read = readMetrics(request);
      return { ...read, batch: { points: read.records } };
    },
  },
  {
    contract: API.otlp.logs,
    shape: LOGS_REQUEST,
    rejected: 'rejectedLogRecords',
    read: (request, now) => {
      const read = readLogs(request, now);
      return { ...read, batch: { logs: read.records } };
    },
  },
  {
    contract: API.otlp.traces,
    shape: TRACES_REQUEST,
    rejected: 'rejectedSpans',
    read: (request) => {
      const read = readTraces(request);
      return { ...read, batch: { spans: read.records } };
    },
  },
];

const ENCODINGS = { 'application/json': 'json', 'application/x-protobuf': 'protobuf' } as const;
type Encoding = (typeof ENCODINGS)[keyof typeof ENCODINGS];

/** gRPC codes of the refusals. */
const INVALID = 3;
const TOO_MUCH = 8;

/** The receiver of OTLP over HTTP: metrics, logs and traces in JSON or protocol buffers, zipped or not. */
export const otlpRoutes = (sink: TelemetrySink, now: () => number = Date.now): Route[] =>
  SIGNALS.map((signal) =>
    defineRoute({
      ...signal.contract,
      handle: (request) => receive(signal, request, sink, now),
    }),
  );

async function receive(
  signal: Signal,
  request: RouteRequest,
  sink: TelemetrySink,
  now: () => number,
): Promise<RouteAnswer> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const encoding = Object.hasOwn(ENCODINGS, type) ? ENCODINGS[type as keyof typeof ENCODINGS] : undefined;
  if (!encoding)
    return refusal(
      'json',
      415,
      INVALID,
      'the content type is neither application/json nor application/x-protobuf',
    );
  if (request.body.length > MOST_BYTES)
    return refusal(encoding, 413, TOO_MUCH, `more than ${MOST_BYTES} bytes`);
  const inflated = await inflate(request, encoding);
  if (!(inflated instanceof Uint8Array)) return inflated;
  const parsed = parse(signal, encoding, inflated, now());
  if ('problem' in parsed) return refusal(encoding, 400, INVALID, parsed.problem);
  const { count, why } = await sink.add(parsed.batch);
  return success(encoding, signal, parsed.dropped + count, [...parsed.why, ...(why ? [why] : [])].join('; '));
}

const unzip = promisify(gunzip);

async function inflate(
  { headers, body }: RouteRequest,
  encoding: Encoding,
): Promise<Uint8Array | RouteAnswer> {
  const packed = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (packed === 'identity' || packed === '') return body;
  if (packed !== 'gzip')
    return refusal(encoding, 415, INVALID, 'the content encoding is neither gzip nor identity');
  try {
    return await unzip(body, { maxOutputLength: MOST_INFLATED });
  } catch (error) {
    const isLarge =
      error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    return isLarge
      ? refusal(encoding, 413, TOO_MUCH, `more than ${MOST_INFLATED} bytes when unzipped`)
      : refusal(encoding, 400, INVALID, 'the body is not gzip');
  }
}

function parse(
  signal: Signal,
  encoding: Encoding,
  bytes: Uint8Array,
  now: number,
): ReturnType<Signal['read']> | { readonly problem: string } {
  try {
    const request =
      encoding === 'json'
        ? (JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown)
        : decodeProtobuf(bytes, signal.shape);
    return signal.read(request, now);
  } catch (error) {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues;
      return {
        problem: `${issue?.path.join('.') || 'the request'}: ${issue?.message ?? 'is of another shape'}`,
      };
    }
    // What JSON.parse says quotes the body.
    if (error instanceof SyntaxError || error instanceof TypeError)
      return { problem: 'the body is not JSON' };
    if (error instanceof RangeError) return { problem: error.message };
    throw error;
  }
}

/** A full success is an empty message; what was not taken is told as a partial one. */
function success(encoding: Encoding, { rejected }: Signal, count: number, why: string): RouteAnswer {
  if (encoding === 'json') {
    const body = count ? { partialSuccess: { [rejected]: String(count), errorMessage: why } } : {};
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const partial = [
    [1, 'uint', count],
    [2, 'string', why],
  ] as const;
  const body = encodeMessage(count ? [[1, 'message', partial]] : []);
  return { status: 200, headers: { 'content-type': 'application/x-protobuf' }, body };
}

/** A `Status`, in the encoding of the request. */
function refusal(encoding: Encoding, status: number, code: number, message: string): RouteAnswer {
  if (encoding === 'json')
    return { status, headers: { 'content-type': 'application/json' }, body: { code, message } };
  const body = encodeMessage([
    [1, 'uint', code],
    [2, 'string', message],
  ]);
  return { status, headers: { 'content-type': 'application/x-protobuf' }, body };
}

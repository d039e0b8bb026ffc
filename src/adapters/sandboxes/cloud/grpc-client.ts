import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { decodeMessage, encodeMessage, type Field, type Message } from '#kit/protobuf';

const HEAD_BYTES = 5;
const MAX_MESSAGE_BYTES = 64 * 2 ** 20;

/** The codes of gRPC that are told apart here. */
export const GRPC = {
  cancelled: 1,
  unknown: 2,
  deadline: 4,
  notFound: 5,
  permissionDenied: 7,
  exhausted: 8,
  precondition: 9,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** How a call failed, as the other side told it, or `unavailable` when it told nothing. */
export interface GrpcFailure {
  readonly code: number;
  readonly message: string;
  /** What the service says about asking again, in milliseconds. */
  readonly afterMs?: number;
}

export type GrpcOutcome = { readonly ok: true } | ({ readonly ok: false } & GrpcFailure);

interface GrpcCall {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** gRPC over one connection of HTTP/2 that is made anew when it breaks. */
export interface GrpcClient {
  /** Hands on each message of the answer. A failure is the outcome, not an exception. */
  call(call: GrpcCall, onMessage: (message: Message) => void): Promise<GrpcOutcome>;
  close(): void;
}

export function grpcClient(origin: string): GrpcClient {
  let session: ClientHttp2Session | undefined;
  const connected = (): ClientHttp2Session => {
    if (session && !session.closed && !session.destroyed) return session;
    session = connect(origin);
    // Each call hears of it too, and tells whoever waits for it.
    session.on('error', () => session?.destroy());
    session.unref();
    return session;
  };
  return {
    call: (call, onMessage) => {
      if (call.signal.aborted)
        return Promise.resolve({ ok: false, code: GRPC.cancelled, message: 'called off' });
      return perform(connected(), call, onMessage);
    },
    close: () => session?.destroy(),
  };
}

function perform(
  session: ClientHttp2Session,
  call: GrpcCall,
  onMessage: (message: Message) => void,
): Promise<GrpcOutcome> {
  return new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': call.path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(call.timeoutMs === undefined ? {} : { 'grpc-timeout': `${Math.ceil(call.timeoutMs)}m` }),
      ...call.headers,
    });
    let told: GrpcFailure | undefined;
    let failed: GrpcFailure | undefined;
    const leave = (code: number, message: string) => {
      failed ??= { code, message };
      stream.close(constants.NGHTTP2_CANCEL);
    };
    const onAbort = () => leave(GRPC.cancelled, 'called off');
    call.signal.addEventListener('abort', onAbort, { once: true });
    const timer =
      call.timeoutMs && setTimeout(() => leave(GRPC.deadline, 'no answer in time'), call.timeoutMs);
    const hear = (headers: IncomingHttpHeaders) => {
      told ??= statusIn(headers);
    };
    stream.on('response', hear).on('trailers', hear);
    readMessages(stream, onMessage, (problem) => leave(GRPC.internal, problem));
    stream.on('error', (error) => {
      failed ??= { code: GRPC.unavailable, message: error.message };
    });
    stream.on('close', () => {
      if (timer) clearTimeout(timer);
      call.signal.removeEventListener('abort', onAbort);
      const failure = failed ?? told ?? { code: GRPC.unavailable, message: 'the answer was cut' };
      resolve(failure.code === 0 ? { ok: true } : { ok: false, ...failure });
    });
    stream.end(framed(encodeMessage(call.fields)));
  });
}

function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function readMessages(
  stream: ClientHttp2Stream,
  onMessage: (message: Message) => void,
  onProblem: (problem: string) => void,
): void {
  let held = Buffer.alloc(0);
  stream.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    try {
      while (held.length >= HEAD_BYTES) {
        const length = held.readUInt32BE(1);
        if (held[0] !== 0 || length > MAX_MESSAGE_BYTES)
          throw new RangeError('The answer has an unknown shape.');
        if (held.length < HEAD_BYTES + length) return;
        onMessage(decodeMessage(held.subarray(HEAD_BYTES, HEAD_BYTES + length)));
        held = held.subarray(HEAD_BYTES + length);
      }
    } catch (thrown) {
      held = Buffer.alloc(0);
      onProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  });
}

/** A gateway before the service answers with a status of HTTP alone. */
const HTTP_CODES: Readonly<Record<number, number>> = {
  401: GRPC.unauthenticated,
  403: GRPC.permissionDenied,
  404: GRPC.notFound,
  429: GRPC.exhausted,
};

function statusIn(headers: IncomingHttpHeaders): GrpcFailure | undefined {
  const wait = Number(headers['retry-after'] ?? Number.NaN);
  const after = Number.isFinite(wait) ? { afterMs: wait * 1_000 } : {};
  const code = headers['grpc-status'];
  if (code !== undefined) {
    const message = headers['grpc-message'];
    return { code: Number(code), message: typeof message === 'string' ? decode(message) : '', ...after };
  }
  const status = Number(headers[':status'] ?? 200);
  if (status === 200) return undefined;
  return { code: HTTP_CODES[status] ?? GRPC.unavailable, message: `HTTP ${status}`, ...after };
}

/** Messages are percent-encoded; one that is not is shown as it came. */
function decode(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

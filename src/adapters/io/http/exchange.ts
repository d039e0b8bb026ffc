import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';

export interface TlsFiles {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface WireCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly tls?: TlsFiles | undefined;
  /** For all of it: connecting, sending, and the whole answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Asked when the connection stands and not one byte has been sent. When it throws, nothing is sent. */
  readonly beforeSending?: (() => Promise<void>) | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly text: string;
}

/** Why there is no answer, and whether the other side can have seen the request. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause });
    this.sent = sent;
  }
}

const MAX_BYTES = 8_000_000;

/**
 * One request on a connection of its own. Unlike `fetch` it knows the moment before which nothing can have happened:
 * the first byte leaves when `beforeSending` has agreed, and `NoAnswer.sent` tells on which side of it things failed.
 * Redirects are answers; nothing is ever sent twice.
 */
export async function exchange(call: WireCall): Promise<WireAnswer> {
  if (call.signal.aborted) throw new NoAnswer('it was stopped', false);
  let sent = false;
  const late = AbortSignal.timeout(call.timeoutMs);
  const signal = AbortSignal.any([call.signal, late]);
  const { promise: answer, resolve, reject } = Promise.withResolvers<WireAnswer>();
  // A failure that comes while the question is open is heard when it is awaited, and must not be unhandled before.
  answer.catch(() => undefined);
  const request = begin(call, signal);
  request.on('error', reject);
  request.on('response', (response) => collect(response).then(resolve, reject));
  try {
    await Promise.race([connected(request), answer]);
    await call.beforeSending?.();
    // What the signal stopped while the question was open must not go out after all.
    if (!signal.aborted && !request.destroyed) {
      sent = true;
      request.end(call.body);
    }
    return await answer;
  } catch (cause) {
    if (!sent && !isTransport(cause)) throw cause;
    throw new NoAnswer(wordsFor(cause, call.signal, late), sent, cause);
  } finally {
    request.destroy();
  }
}

function begin({ url, method, headers, body, tls }: WireCall, signal: AbortSignal): ClientRequest {
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  const size = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const given = Object.fromEntries(Object.entries(tls ?? {}).filter(([, text]) => text !== undefined));
  try {
    return send(url, { method, headers: { ...headers, ...size }, agent: false, signal, ...given });
  } catch (cause) {
    // A header or a certificate that cannot be: the words of it may quote the credential.
    throw new NoAnswer('the request cannot be made', false, cause instanceof Error ? cause.name : undefined);
  }
}

function collect(response: IncomingMessage): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) response.destroy(new Error(`the answer has more than ${MAX_BYTES} bytes`));
    });
    response.on('error', reject);
    response.on('close', () => {
      if (!response.complete) reject(new Error('the answer was cut off'));
    });
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}

function connected(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    request.once('socket', (socket) => {
      if (!socket.connecting && !(socket instanceof TLSSocket)) return resolve();
      socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => resolve());
    });
  });
}

/** Errors of the connection have a code, or are the abort of the request. */
const isTransport = (cause: unknown): boolean =>
  cause instanceof Error && (cause.name === 'AbortError' || 'code' in cause);

function wordsFor(cause: unknown, signal: AbortSignal, late: AbortSignal): string {
  if (signal.aborted) return 'it was stopped';
  if (late.aborted) return 'it took too long';
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}

import { boundedText } from '#adapters/io/bounded-text';
import { AppError } from '#kit/app-error';
import { costOf } from '#kit/cost';
import { eventStream } from '#kit/event-stream';
import { redact } from '#kit/redact';
import { codeOf as systemCode } from '#kit/store-failure';
import type { ErrorRecord, ErrorSource, ModelEvent, ModelInfo, ModelOutcome, ModelRequest } from '#spec/data';
import type { AuthScheme, ChatDialect, Credential, Model, Protocol, VendorError } from '#spec/ports';
import { type Assembly, assemble } from './assemble.ts';
import { authorizer } from './authorize.ts';
import { codeOf, modelError } from './classify-error.ts';
import { type Deadline, startDeadline, type Timeouts } from './deadline.ts';
import { BadFrameError } from './bad-frame.ts';
import { framings } from './frames.ts';
import { retryAfterInWords, retryAfterMs } from './retry-after.ts';

/** Everything that one call needs to know of where it goes. */
export interface Endpoint {
  readonly info: ModelInfo;
  readonly protocol: Protocol;
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly dialect: ChatDialect;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  /** Variables that an authentication scheme may read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A model behind one of the wire protocols. One call is one HTTP request: retries are decided elsewhere. */
export function wireModel(endpoint: Endpoint, credential: Credential | undefined): Model {
  return {
    info: endpoint.info,
    stream: (request, signal) =>
      eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const outcome = await call(endpoint, credential, request, signal, emit);
        emit({ type: 'response.end', ...outcome });
        return outcome;
      }),
  };
}

async function call(
  endpoint: Endpoint,
  credential: Credential | undefined,
  request: ModelRequest,
  signal: AbortSignal,
  emit: (event: ModelEvent) => void,
): Promise<ModelOutcome> {
  const { provider, model, protocol } = endpoint.info;
  const origin = { provider, model, protocol };
  const source: ErrorSource = { provider, model, ...(credential ? { credential: credential.label } : {}) };
  const assembly = assemble(origin, emit);
  const deadline = startDeadline(signal, endpoint.timeouts);
  let error: ErrorRecord | undefined;
  let started = false;
  try {
    const response = await post(endpoint, credential, request, deadline);
    Object.assign(source, responseSource(response));
    const refusal = await refusalOf(endpoint, response, source);
    if (refusal) error = refusal;
    else {
      started = true;
      emit({ type: 'response.start', ...origin });
      await read(endpoint.protocol, response, assembly, deadline);
    }
  } catch (thrown) {
    if (!assembly.complete) error = thrownError(thrown, started, endpoint.baseUrl, deadline, source);
  } finally {
    deadline.close();
  }
  if (assembly.error && !error) error = vendorFailure(assembly.error, source);
  if (started && !error && !assembly.complete) {
    error = modelError('model.cut', 'the connection closed before the answer was complete', source);
  }
  const result = {
    message: assembly.message(),
    usage: assembly.usage,
    ...priced(endpoint, request, assembly),
  };
  if (signal.aborted && !assembly.complete) return { ...result, status: 'aborted' };
  if (error) {
    const message = redact(error.message, credential ? [credential.secret] : []);
    return { ...result, status: 'failed', error: { ...error, message } };
  }
  return { ...result, status: 'done', stop: assembly.stop ?? 'end' };
}

async function post(
  endpoint: Endpoint,
  credential: Credential | undefined,
  request: ModelRequest,
  deadline: Deadline,
): Promise<Response> {
  const wire = endpoint.protocol.encode(request, { info: endpoint.info, dialect: endpoint.dialect });
  const [base, query] = endpoint.baseUrl.split('?');
  const url = `${base?.replace(/\/+$/, '')}${wire.path}${query ? `?${query}` : ''}`;
  const body = JSON.stringify(wire.body);
  const accept = framings[endpoint.protocol.framing].contentType;
  const headers = { 'content-type': 'application/json', accept, ...wire.headers, ...endpoint.headers };
  const authorize = authorizer(endpoint.auth, credential, endpoint.env);
  const proof = await authorize({ url, headers, body });
  return fetch(url, {
    method: 'POST',
    headers: { ...headers, ...proof },
    body,
    signal: deadline.signal,
    redirect: 'error',
    ...(await patience(endpoint.timeouts)),
  });
}

/** The built-in client gives up after five silent minutes; a slow machine of the user's own may need longer. */
const BUILT_IN_LIMIT_MS = 300_000;

async function patience({ firstByte, stall }: Timeouts): Promise<RequestInit> {
  const within = (ms: number) => ms > 0 && ms <= BUILT_IN_LIMIT_MS;
  if (within(firstByte) && within(stall)) return {};
  const { Agent } = await import('undici');
  return {
    dispatcher: new Agent({ headersTimeout: 0, bodyTimeout: 0 }) as unknown as NonNullable<
      RequestInit['dispatcher']
    >,
  };
}

async function read(
  protocol: Protocol,
  response: Response,
  assembly: Assembly,
  deadline: Deadline,
): Promise<void> {
  if (!response.body) return;
  const decoder = protocol.decoder();
  const chunks = heartbeat(response.body, deadline);
  for await (const frame of framings[protocol.framing].frames(chunks)) {
    for (const event of decoder.push(frame)) assembly.add(event);
    if (assembly.error) return;
    if (assembly.complete) deadline.settle();
  }
}

async function* heartbeat(body: AsyncIterable<Uint8Array>, deadline: Deadline): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    deadline.beat();
    yield chunk;
  }
}

/** A response that is not a stream of the promised kind, as an error. */
async function refusalOf(
  endpoint: Endpoint,
  response: Response,
  source: ErrorSource,
): Promise<ErrorRecord | undefined> {
  const { contentType } = framings[endpoint.protocol.framing];
  const type = response.headers.get('content-type') ?? contentType;
  if (response.ok && type.startsWith(contentType)) return undefined;
  const text = (await boundedText(response, 10_000)).text;
  const vendor = endpoint.protocol.vendorError(parsed(text));
  if (response.ok && !vendor.message) {
    const message = `${endpoint.baseUrl} answered ${type} instead of ${contentType}`;
    const hint = 'Check that the address is the API endpoint and that it supports streaming.';
    return { ...modelError('model.bad_response', message, source), retry: { again: false }, hint };
  }
  const message =
    vendor.message ||
    text
      .replace(/<[^>]*>|\s+/g, ' ')
      .trim()
      .slice(0, 300) ||
    response.statusText;
  const headerCode = response.headers.get('x-amzn-errortype')?.split(':')[0];
  const code = vendor.code ?? headerCode;
  const status = response.ok ? undefined : response.status;
  return vendorFailure(
    { message, ...(code ? { code } : {}), ...(status ? { status } : {}) },
    source,
    retryAfterMs(response.headers, Date.now()) ?? retryAfterInWords(text),
  );
}

function vendorFailure(error: VendorError, source: ErrorSource, afterMs?: number): ErrorRecord {
  const vendorCode = error.code ? { vendorCode: error.code } : {};
  return modelError(codeOf(error), error.message || 'no reason given', { ...source, ...vendorCode }, afterMs);
}

function thrownError(
  thrown: unknown,
  started: boolean,
  baseUrl: string,
  deadline: Deadline,
  source: ErrorSource,
): ErrorRecord {
  if (thrown instanceof AppError) return { ...thrown.record, source };
  if (deadline.expired) {
    const seconds = deadline.expired.ms / 1_000;
    const { kind } = deadline.expired;
    if (kind === 'stall')
      return modelError(
        'model.stalled',
        `nothing arrived for ${seconds} s in the middle of the answer`,
        source,
      );
    const what = kind === 'firstByte' ? 'no answer began' : 'the answer was not complete';
    return modelError('model.timeout', `${what} within ${seconds} s`, source);
  }
  if (thrown instanceof BadFrameError) return modelError('model.bad_response', thrown.message, source);
  const reason = networkReason(thrown);
  if (started)
    return modelError('model.cut', `the connection broke in the middle of the answer (${reason})`, source);
  const { origin, hostname } = new URL(baseUrl);
  const error = modelError('model.network', `could not reach ${origin} (${reason})`, source);
  // Nobody listens on this machine itself: a moment later nobody does either.
  return isRefused(thrown) && LOOPBACK.test(hostname) ? { ...error, retry: { again: false } } : error;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i;

const isRefused = (thrown: unknown): boolean =>
  thrown instanceof Error && [thrown, thrown.cause].some((each) => systemCode(each) === 'ECONNREFUSED');

function networkReason(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  if (!(cause instanceof Error)) return String(cause);
  const code = (cause as NodeJS.ErrnoException).code;
  return code && !cause.message.includes(code) ? `${code}: ${cause.message}` : cause.message || cause.name;
}

function responseSource(response: Response): Partial<ErrorSource> {
  const id = ['x-request-id', 'request-id', 'x-amzn-requestid']
    .map((name) => response.headers.get(name))
    .find(Boolean);
  return { ...(response.ok ? {} : { status: response.status }), ...(id ? { requestId: id } : {}) };
}

function priced(endpoint: Endpoint, request: ModelRequest, assembly: Assembly): { cost?: number } {
  const { price } = endpoint.info;
  return price ? { cost: costOf(assembly.usage, price, request.cacheTtl ?? 'off') } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

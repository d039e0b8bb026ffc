import { randomUUID } from 'node:crypto';
import { sleep } from '#kit/sleep';
import { cloudFailure } from './cloud-failure.ts';
import { GRPC, type GrpcFailure, grpcClient } from './grpc-client.ts';
import type { Field, Message } from '#kit/protobuf';
import { repeat } from './repeat.ts';

const CALL_MS = 60_000;
const JWT_SPARE_MS = 60_000;
/** The service wants to know whose protocol is spoken: that of its own client for JavaScript. */
const CLIENT_HEADERS = { 'x-modal-client-type': '8', 'x-modal-client-version': '1.0.0' };

export interface ModalKeys {
  readonly tokenId: string;
  readonly tokenSecret: string;
}

/** Unary calls to the control plane of Modal, with the keys and the short-lived token that it wants beside them. */
export interface ModalApi {
  ask(method: string, fields: readonly Field[], doing: string): Promise<Message>;
  /** All messages of an answer that comes in several. */
  askMany(method: string, fields: readonly Field[], doing: string): Promise<readonly Message[]>;
  /** A failed call of gRPC as an error of ours, without the keys. */
  failure(failure: GrpcFailure, doing: string): Error;
  close(): void;
}

/** The nearest status of HTTP; what they have in common is decided on that. */
const STATUS: Readonly<Record<number, number>> = {
  [GRPC.notFound]: 404,
  [GRPC.precondition]: 410,
  [GRPC.unauthenticated]: 401,
  [GRPC.permissionDenied]: 403,
  [GRPC.exhausted]: 429,
  [GRPC.deadline]: 504,
  [GRPC.unavailable]: 503,
  [GRPC.internal]: 500,
  [GRPC.unknown]: 500,
  [GRPC.cancelled]: 503,
};

export function modalApi(url: string, keys: ModalKeys, signal: AbortSignal): ModalApi {
  const client = grpcClient(url);
  const headers = {
    ...CLIENT_HEADERS,
    'x-modal-token-id': keys.tokenId,
    'x-modal-token-secret': keys.tokenSecret,
  };
  let token: { readonly text: string; readonly until: number } | undefined;

  const failure = ({ code, message, afterMs }: GrpcFailure, doing: string) =>
    cloudFailure({
      ...{ service: 'Modal', keys: ['MODAL_TOKEN_ID', 'MODAL_TOKEN_SECRET'], doing, message },
      ...{ secrets: [keys.tokenSecret, keys.tokenId, ...(token ? [token.text] : [])] },
      ...{ status: STATUS[code] ?? 400, ...(afterMs === undefined ? {} : { afterMs }) },
    });

  const once = async (
    method: string,
    fields: readonly Field[],
    doing: string,
    more: Record<string, string>,
  ): Promise<readonly Message[]> => {
    const answers: Message[] = [];
    const path = `/modal.client.ModalClient/${method}`;
    const call = { path, headers: { ...headers, ...more }, fields, signal, timeoutMs: CALL_MS };
    const outcome = await client.call(call, (message) => void answers.push(message));
    if (!outcome.ok) throw failure(outcome, doing);
    return answers;
  };

  const currentToken = async (): Promise<string> => {
    if (token && token.until > Date.now() + JWT_SPARE_MS) return token.text;
    const ask = () => once('AuthTokenGet', [], 'sign in', {});
    const text = (await repeat(ask, { harmless: true, signal }))[0]?.text(1) ?? '';
    token = { text, until: jwtEnd(text) ?? Date.now() + 10 * 60_000 };
    return text;
  };

  const askMany = async (method: string, fields: readonly Field[], doing: string) => {
    const more = { 'x-modal-auth-token': await currentToken(), 'x-idempotency-key': randomUUID() };
    // The key of idempotency makes asking twice harmless.
    return repeat(() => once(method, fields, doing, more), { harmless: true, signal });
  };
  return {
    failure,
    askMany,
    close: client.close,
    ask: async (method, fields, doing) => {
      const [answer] = await askMany(method, fields, doing);
      if (!answer) throw failure({ code: GRPC.internal, message: 'an empty answer' }, doing);
      return answer;
    },
  };
}

/** When a token of the usual kind ends, in milliseconds; undefined for another kind. */
function jwtEnd(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const end = (claims as { exp?: unknown }).exp;
    return typeof end === 'number' ? end * 1_000 : undefined;
  } catch {
    return undefined;
  }
}

/** Asks until there is an answer, for things that take their time. */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  options: { readonly forMs: number; readonly everyMs: number; readonly signal: AbortSignal },
): Promise<T | undefined> {
  const end = Date.now() + options.forMs;
  do {
    const found = await ask();
    if (found !== undefined) return found;
  } while (Date.now() < end && (await sleep(options.everyMs, options.signal)));
  return undefined;
}

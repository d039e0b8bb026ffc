import type { z } from 'zod';
import { cloudFailure } from './cloud-failure.ts';
import { repeat } from './repeat.ts';

const CALL_MS = 60_000;

interface HttpCall {
  /** For messages: `Daytona answered 500 when asked to <doing>`. */
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** JSON, or a form with files. */
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

export interface HttpApi {
  readonly headers: Readonly<Record<string, string>>;
  json<T>(schema: z.ZodType<T>, call: HttpCall): Promise<T>;
  bytes(call: HttpCall): Promise<Uint8Array>;
  /** The answer is of no interest. */
  send(call: HttpCall): Promise<void>;
}

export interface HttpService {
  readonly service: string;
  readonly keyName: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A JSON API over HTTP with one bearer key. Refusals are errors of ours, without the key. */
export function httpApi({ service, keyName, key, signal }: HttpService): HttpApi {
  const headers = { authorization: `Bearer ${key}` };
  const failure = { service, keys: [keyName], secrets: [key] };

  const ask = async (call: HttpCall): Promise<Uint8Array> => {
    const { doing } = call;
    const answer = await exchange(call, headers, signal).catch((cause: unknown) => {
      throw cloudFailure({ ...failure, doing, cause });
    });
    if (answer.status < 300) return answer.bytes;
    const message = messageIn(Buffer.from(answer.bytes).toString('utf8'));
    const afterMs = waitTold(answer.retryAfter);
    const told = { status: answer.status, message, ...(afterMs === undefined ? {} : { afterMs }) };
    throw cloudFailure({ ...failure, doing, ...told });
  };

  const bytes = (call: HttpCall) => repeat(() => ask(call), { harmless: call.method !== 'POST', signal });
  return {
    headers,
    bytes,
    send: async (call) => void (await bytes(call)),
    json: async (schema, call) => {
      const text = Buffer.from(await bytes(call)).toString('utf8');
      try {
        return schema.parse(JSON.parse(text || 'null'));
      } catch (cause) {
        throw cloudFailure({
          ...failure,
          doing: call.doing,
          status: 502,
          message: 'an answer of unknown shape',
          cause,
        });
      }
    },
  };
}

async function exchange(call: HttpCall, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  const body = call.body instanceof FormData ? call.body : JSON.stringify(call.body);
  const isJson = call.body !== undefined && typeof body === 'string';
  const response = await fetch(call.url, {
    method: call.method,
    headers: { ...headers, ...(isJson ? { 'content-type': 'application/json' } : {}) },
    ...(call.body === undefined ? {} : { body }),
    // A key is not carried on to another address.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(call.timeoutMs ?? CALL_MS)]),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, bytes, retryAfter: response.headers.get('retry-after') };
}

function waitTold(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The vendor's own words, where the answer has the usual shape. */
function messageIn(text: string): string {
  const found = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return found ?? text.replaceAll(/\s+/g, ' ');
}

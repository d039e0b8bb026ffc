import type { z } from 'zod';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { redact } from '#kit/redact';
import type { ToolContext, WebAnswer, WebRequest } from '#spec/ports';

export interface ServiceRequest {
  /** What a person calls it, for messages. */
  readonly name: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: { readonly bytes: Uint8Array; readonly type: string };
  /** Replaced by a mark wherever the service repeats it. */
  readonly secret?: string | undefined;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** Variables that hold its credentials, for messages. */
  readonly keys?: string;
}

const MOST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Asks a service that speaks HTTP. An answer that is no success is thrown as an error in words. */
export async function askService(request: ServiceRequest, context: ToolContext): Promise<WebAnswer> {
  const answer = await context.web.fetch(webRequest(request), context.signal);
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw serviceError(request, answer);
}

/** The same for answers that are JSON, of which the schema names what is read. */
export async function askJson<T>(
  request: ServiceRequest,
  schema: z.ZodType<T>,
  context: ToolContext,
): Promise<T> {
  const answer = await askService(request, context);
  if (answer.cut) throw fail('tool.failed', `${request.name} answered more than can be read. Ask for less.`);
  const parsed = schema.safeParse(jsonOf(answer.body));
  if (parsed.success) return parsed.data;
  throw fail('tool.failed', `${request.name} answered in a form that is not known.`, undefined, parsed.error);
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    // No JSON is no value that a schema would accept.
    return undefined;
  }
}

function webRequest({ url, method, headers, json, body, maxBytes, timeoutMs }: ServiceRequest): WebRequest {
  const content = json === undefined ? body?.bytes : JSON.stringify(json);
  const type = json === undefined ? body?.type : 'application/json';
  return {
    url,
    method: method ?? (content === undefined ? 'GET' : 'POST'),
    headers: { accept: 'application/json', ...(type ? { 'content-type': type } : {}), ...headers },
    ...(content === undefined ? {} : { body: content }),
    maxBytes: maxBytes ?? MOST_BYTES,
    timeoutMs: timeoutMs ?? TIMEOUT_MS,
  };
}

function serviceError({ name, secret, keys }: ServiceRequest, { status, headers, body }: WebAnswer) {
  const said = redact(complaint(new TextDecoder().decode(body.subarray(0, 4_000))), secret ? [secret] : []);
  const message = `${name} answered ${status}${said ? `: ${said}` : '.'}`;
  return fail('tool.failed', message, hintFor(status, headers['retry-after'], keys));
}

function hintFor(status: number, wait: string | undefined, keys: string | undefined): string | undefined {
  if (status === 401 || status === 403) return keys ? `Check ${keys}.` : undefined;
  if (status === 429)
    return wait ? `Try again after ${wait}${/^\d+$/.test(wait) ? ' s' : ''}.` : 'Try again later.';
  return status >= 500 ? 'The service is in trouble; try again later.' : undefined;
}

/** The sentence in an answer of failure, wherever the vendor puts it. */
function complaint(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const at = (key: string) => (isRecord(value) ? value[key] : undefined);
    const error = at('error');
    const found = [isRecord(error) ? error.message : error, at('message'), at('detail'), at('reason')].find(
      (candidate) => typeof candidate === 'string',
    );
    return (found ?? text).slice(0, 300);
  } catch {
    // No JSON: a page of a proxy, of which the words are enough.
    return text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 200);
  }
}

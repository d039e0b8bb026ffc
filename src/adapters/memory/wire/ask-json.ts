import { boundedText } from '#adapters/io/bounded-text';
import { type AppError, fail } from '#kit/app-error';
import { redact } from '#kit/redact';

export interface Asked {
  /** The service, for whoever reads an error. */
  readonly service: string;
  /** The variable that holds its key. */
  readonly keyName: string;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
}

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** Longer answers are no answers. */
const MOST_BYTES = 1_000_000;

/** The answer of a service as JSON: undefined for one without a body, and for what is not there (404). */
export async function askJson(asked: Asked, { method, url, body, signal }: JsonRequest): Promise<unknown> {
  const response = await asked
    .fetch(url, {
      method,
      // A key must not follow to another place.
      redirect: 'error',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...asked.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
    .catch((cause: unknown) => {
      throw fail('tool.failed', `${asked.service} cannot be reached at ${url.origin}`, undefined, cause);
    });
  const { text, cut } = await boundedText(response, MOST_BYTES);
  if (cut) throw fail('tool.failed', `${asked.service} sent more than ${MOST_BYTES} bytes`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw refusal(asked, response.status, text);
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail('tool.failed', `${asked.service} answered with something that is no JSON`, undefined, cause);
  }
}

function refusal({ service, keyName }: Asked, status: number, text: string): AppError {
  if (status === 401 || status === 403)
    return fail('tool.failed', `${service} does not accept the key (${status})`, `check ${keyName}`);
  if (status === 429) return fail('tool.failed', `${service} asks to be left alone for a while (429)`);
  const detail = redact(text.replace(/\s+/g, ' ').slice(0, 200));
  return fail('tool.failed', `${service} answered ${status}${detail ? `: ${detail}` : ''}`);
}

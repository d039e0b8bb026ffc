import { csrfToken } from './ask.ts';
import { Problem, problemOf } from './problem.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** One request to the API of this origin. Rejects with a `Problem`, or as the signal says. */
export async function request<T>(path: string, asked: Asked = {}): Promise<T> {
  const { method = 'GET', body, signal } = asked;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['x-csrf-token'] = csrfToken();
  const response = await fetch(withQuery(path, asked.query), {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((thrown: unknown) => {
    if (signal?.aborted) throw thrown;
    throw new Problem({ status: 0, code: 'http.unreachable', detail: 'The server does not answer.' });
  });
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return undefined as T;
  return (await response.json().catch(() => {
    throw new Problem({
      status: response.status,
      code: 'http.bad_answer',
      detail: 'The server sent no JSON.',
    });
  })) as T;
}

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (!given.length) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** A path from its parts, each of them encoded: an id may hold anything. */
export const pathOf = (strings: TemplateStringsArray, ...parts: readonly string[]): string =>
  String.raw({ raw: strings }, ...parts.map(encodeURIComponent));

import type { AnswerOf, BodySent, Calls, Contract, ParamsOf, QuerySent } from '#spec/api';
import { Problem, problemOf } from './problem.ts';

/** Set by the session: every write carries it. */
let csrf = '';
export const keepCsrf = (token: string): void => {
  csrf = token;
};

/** A field that may be left out where nothing of it has to be said. */
type Field<Name extends string, T> = undefined extends T
  ? { readonly [K in Name]?: T }
  : Partial<T> extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T };

type Place<C extends Contract> = Field<'params', ParamsOf<C>> & Field<'query', QuerySent<C>>;
type Asked<C extends Contract> = Place<C> &
  Field<'body', BodySent<C>> & { readonly signal?: AbortSignal | undefined };
/** What has to be said is asked for by its type, and nothing where all of it may be left out. */
type Rest<T> = Partial<T> extends T ? [asked?: T] : [asked: T];

interface Anything {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** One request to the API of this origin, as its contract has it. Rejects with a `Problem`, or as the signal says. */
export async function ask<K extends keyof Calls>(
  call: K,
  ...[asked]: Rest<Asked<Calls[K]>>
): Promise<AnswerOf<Calls[K]>> {
  const { body, signal }: Anything = asked ?? {};
  const method = call.slice(0, call.indexOf(' '));
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['x-csrf-token'] = csrf;
  const response = await fetch(fill(call, asked ?? {}), {
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
  const text = await response.text();
  try {
    return JSON.parse(text || 'null');
  } catch {
    const { status } = response;
    throw new Problem({ status, code: 'http.bad_answer', detail: 'The server sent no JSON.' });
  }
}

/** The address of a call, for links and for streams of events. */
export const addressOf = <K extends keyof Calls>(call: K, ...[place]: Rest<Place<Calls[K]>>): string =>
  fill(call, place ?? {});

/** Each part of the path is encoded: an id may hold anything. What is not said is left out of the query. */
function fill(call: string, { params = {}, query = {} }: Anything): string {
  const path = call
    .slice(call.indexOf(' ') + 1)
    .replaceAll(/:([^/]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (!given.length) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

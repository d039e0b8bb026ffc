import type { z } from 'zod';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { Route, RouteAnswer } from '#spec/ports';
import { isStream } from './answer-response.ts';

/** What runs from its sources is tested or worked on: there, an answer that breaks its contract fails. */
const FROM_SOURCES = import.meta.url.endsWith('.ts');

/** The same answer, if it is what the contract of its route says. Throws `internal` where it is not. */
export function checkAnswer(route: Route, answer: RouteAnswer): RouteAnswer {
  if (!FROM_SOURCES || route.summary === undefined || answer.status >= 400) return answer;
  const wrong = wrongIn(route, answer);
  if (wrong === undefined) return answer;
  throw fail('internal', `${route.method} ${route.path} breaks its contract: ${wrong}`);
}

function wrongIn(route: Route, { headers = {}, body }: RouteAnswer): string | undefined {
  const { answer, files = [], events } = route;
  if (body === undefined) return answer || files.length || events ? 'it has no body.' : undefined;
  if (isStream(body) || typeof body === 'string' || body instanceof Uint8Array) {
    const known = events ? [...files, 'text/event-stream'] : files;
    const usual = isStream(body) ? 'text/event-stream' : 'text/plain';
    const type = headers['content-type']?.split(';')[0] ?? usual;
    return known.includes(type) ? undefined : `it answers with ${type}.`;
  }
  return answer ? wrongJson(answer, body) : 'it answers with JSON.';
}

/** Of a record, everything that is sent stands in the contract: a field that nobody named may be one that nobody may see. */
function wrongJson(schema: z.ZodType, body: object): string | undefined {
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const read = schema.safeParse(sent);
  if (read.success) {
    const more = unnamed(sent, read.data);
    return more === undefined ? undefined : `${more} is not in it.`;
  }
  const [issue] = read.error.issues;
  return `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'it is not valid'}`;
}

/** The path of the first field that a schema left out. */
function unnamed(sent: unknown, kept: unknown): string | undefined {
  if (Array.isArray(sent) && Array.isArray(kept))
    return first(sent.entries(), (index) => kept[index] as unknown);
  if (!isRecord(sent) || !isRecord(kept)) return undefined;
  const lost = Object.keys(sent).find((name) => !Object.hasOwn(kept, name));
  return lost ?? first(Object.entries(sent), (name) => kept[name]);
}

function first<K extends string | number>(
  entries: Iterable<[K, unknown]>,
  kept: (key: K) => unknown,
): string | undefined {
  for (const [key, value] of entries) {
    const more = unnamed(value, kept(key));
    if (more !== undefined) return `${key}.${more}`;
  }
  return undefined;
}

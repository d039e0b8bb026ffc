import type { KnownSecrets } from '#kit/redact';
import { z } from 'zod';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import { MemoryContext, type MemoryEntry, MemoryKind, MemoryScope } from '#spec/data';
import type { MemoryStore, NewMemory } from '#spec/ports';
import { homeScope, type MemoryView, scopesOf } from '../scopes.ts';
import { entryProblem, harmlessContext, tidy } from './entry-problem.ts';
import type { ImportReport } from './memory.ts';

const AT_ONCE = 200;

/** A moment that a calendar knows. */
const Moment = z.number().min(-8.64e15).max(8.64e15);

/** What a line of an export has to have to be taken back; the rest of an entry comes about anew. */
const Line = z.object({
  kind: MemoryKind,
  text: z.string().trim().min(1),
  scope: MemoryScope.optional(),
  key: z.string().optional(),
  context: MemoryContext.optional(),
  trust: z.number().min(0).max(1).optional(),
  at: Moment.optional(),
  expiresAt: Moment.optional(),
});

export const exportLine = (entry: MemoryEntry): string => JSON.stringify(entry);

/** Puts lines of an export into the store. What a view does not see becomes a note of the view itself. */
export async function importLines(
  store: Pick<MemoryStore, 'put'>,
  lines: Iterable<string> | AsyncIterable<string>,
  view: MemoryView,
  now: () => number,
  { language, secrets }: { readonly language: Language; readonly secrets: KnownSecrets },
): Promise<ImportReport> {
  const seen = new Set(scopesOf(view));
  const refused: { line: number; why: string }[] = [];
  let [added, same, number] = [0, 0, 0];
  let waiting: (NewMemory & { id: string })[] = [];
  const flush = async () => {
    const given = new Set(waiting.map(({ id }) => id));
    const put = waiting.length ? await store.put(waiting) : [];
    const made = put.filter(({ id }) => given.has(id)).length;
    added += made;
    same += put.length - made;
    waiting = [];
  };
  for await (const line of lines) {
    number += 1;
    if (!line.trim()) continue;
    const { entry, why } = readLine(line, view, seen, now(), (given) =>
      entryProblem(given, language, secrets),
    );
    if (why !== undefined) refused.push({ line: number, why });
    if (entry) waiting.push(entry);
    if (waiting.length >= AT_ONCE) await flush();
  }
  await flush();
  return { added, same, refused };
}

function readLine(
  line: string,
  view: MemoryView,
  seen: ReadonlySet<string>,
  now: number,
  problemOf: (given: { readonly text: string; readonly key?: string | undefined }) => string | undefined,
): { entry?: NewMemory & { id: string }; why?: string } {
  const parsed = Line.safeParse(parse(line));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { why: `${issue?.path.join('.') || 'line'}: ${issue?.message ?? 'it is no entry'}` };
  }
  const { scope, key, trust, at = now, expiresAt, kind } = parsed.data;
  const text = tidy(parsed.data.text);
  const refused = problemOf({ text, key });
  if (refused) return { why: refused };
  const context = harmlessContext(parsed.data.context);
  return {
    entry: {
      id: newId('mem'),
      scope: scope && seen.has(scope) ? scope : homeScope(kind, view),
      kind,
      text,
      at,
      provenance: { by: 'import' },
      ...(key === undefined ? {} : { key }),
      ...(context === undefined ? {} : { context }),
      ...(trust === undefined ? {} : { trust }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

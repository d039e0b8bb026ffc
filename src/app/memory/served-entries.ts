import { scanMemory, viewOf } from '#engines/memory';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type * as api from '#spec/api';
import type { MemoryEntry, MemoryKind, MemoryScope, MemoryState } from '#spec/data';
import type { HomeMemory } from './home-memory.ts';
import { absent, type MemoryReader, mustRule, seenScopes, sees } from './memory-reader.ts';

export interface EntriesAsked {
  readonly query?: string | undefined;
  readonly kind?: MemoryKind | undefined;
  readonly scope?: MemoryScope | undefined;
  readonly state?: MemoryState | undefined;
  readonly limit: number;
}

export type FoundEntry = api.Given<api.FoundEntry>;

export interface NewEntry {
  readonly text: string;
  readonly kind: MemoryKind;
  readonly key?: string | undefined;
  /** Whose it becomes, where its kind is of a person. */
  readonly of?: MemoryScope | undefined;
}

const EVERY_STATE: readonly MemoryState[] = ['active', 'replaced', 'forgotten'];
/** Hits are looked at before those of another kind are left out. */
const MOST_HITS = 200;
/** Entries that are not found any more are looked through, newest first, up to here. */
const MOST_LOOKED_THROUGH = 5_000;
const TAKEN_UP = 50;

/** What is remembered, newest first; with a query what tells about it, best first. A look here counts as no use. */
export async function findEntries(
  { memory, store }: HomeMemory,
  reader: MemoryReader,
  { query = '', kind, scope, state = 'active', limit }: EntriesAsked,
  signal: AbortSignal,
): Promise<readonly FoundEntry[]> {
  if (scope !== undefined && !sees(reader, scope)) return [];
  const scopes = scope === undefined ? seenScopes(reader) : [scope];
  const within = scopes ? { scopes } : {};
  if (query.trim() && state === 'active') {
    await memory.indexPending({ most: TAKEN_UP, signal });
    const options = { limit: kind ? MOST_HITS : limit, explain: true, overlap: true, signal, ...within };
    const found = await memory.recall(query, undefined, options);
    return found.filter(({ entry }) => !kind || entry.kind === kind).slice(0, limit);
  }
  const listed = await store.list({
    ...within,
    ...(kind ? { kinds: [kind] } : {}),
    states: [state],
    limit: query.trim() ? MOST_LOOKED_THROUGH : limit,
  });
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return listed
    .filter(({ text, key = '' }) => words.every((word) => `${key} ${text}`.toLowerCase().includes(word)))
    .slice(0, limit)
    .map((entry) => ({ entry }));
}

/** The entry of an id, where the reader sees it. */
export async function mustSee({ store }: HomeMemory, reader: MemoryReader, id: string): Promise<MemoryEntry> {
  const [entry] = await store.list({ ids: [id], states: EVERY_STATE, limit: 1 });
  if (!entry || !sees(reader, entry.scope)) throw absent(`memory '${id}'`);
  return entry;
}

/** The same, where the reader may also change it. */
export async function mustChange(open: HomeMemory, reader: MemoryReader, id: string): Promise<MemoryEntry> {
  const entry = await mustSee(open, reader, id);
  mustRule(reader, entry.kind);
  return entry;
}

export async function addEntry(
  open: HomeMemory,
  reader: MemoryReader,
  { text, kind, key, of }: NewEntry,
  language: Language,
): Promise<MemoryEntry> {
  mustRule(reader, kind);
  refuse(open, text, language);
  if (of === undefined || !sees(reader, of)) throw absent('such place');
  const view = viewOf(of);
  const provenance = { by: 'user' as const };
  const kept = await open.memory.remember({ text, kind, provenance, ...(key ? { key } : {}) }, view);
  if (kept.status === 'refused') throw fail('input.invalid', kept.why);
  return kept.entry;
}

export async function editEntry(
  open: HomeMemory,
  reader: MemoryReader,
  { id, text }: { readonly id: string; readonly text: string },
  language: Language,
): Promise<MemoryEntry> {
  await mustChange(open, reader, id);
  refuse(open, text, language);
  const kept = await open.memory.edit(id, text);
  if (kept.status === 'refused') throw fail('input.invalid', kept.why);
  return kept.entry;
}

/** The memory is opened in one language; whoever reads a refusal here may have another. */
function refuse({ secrets }: HomeMemory, text: string, language: Language): void {
  const { refused } = scanMemory(text, language, secrets);
  if (refused) throw fail('input.invalid', refused);
}

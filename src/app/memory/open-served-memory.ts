import { type NotebookVersion, viewOf } from '#engines/memory';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { redact } from '#kit/redact';
import type * as api from '#spec/api';
import type { MemoryEntry, MemoryKind, MemoryScope, MemoryState } from '#spec/data';
import { localView } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { redactDeep } from '#kit/redact';
import { sharedAnswers } from '#kit/shared-answers';
import { absent, type MemoryReader, ownScopes, personOf, sees } from './memory-reader.ts';
import {
  addEntry,
  editEntry,
  type EntriesAsked,
  findEntries,
  type FoundEntry,
  mustChange,
  mustSee,
  type NewEntry,
} from './served-entries.ts';
import {
  changeNotebook,
  type NotebookChange,
  type NotebookChanged,
  type NotebookMeant,
  notebookPast,
  type NotebookView,
  restoreNotebook,
  viewNotebooks,
} from './served-notebooks.ts';
import { settleWrite, waitingFor, type WaitingWrite } from './served-staged.ts';

type Needs = Pick<Dependencies, 'embedder' | 'memory' | 'people' | 'settings'>;

type MemoryOverview = api.Given<api.MemoryOverview>;

type UserView = api.Given<api.UserView>;

/** The memory of a home, as whoever looks through the server may see and change it. */
export interface ServedMemory {
  overview(reader: MemoryReader): Promise<MemoryOverview>;
  notebooks(
    reader: MemoryReader,
    of: MemoryScope | undefined,
    language: Language,
  ): Promise<readonly NotebookView[]>;
  change(
    reader: MemoryReader,
    change: NotebookChange,
    options: { readonly language: Language; readonly rehearse: boolean },
  ): Promise<NotebookChanged>;
  /** What a notebook was before its last edits, newest first. */
  notebookPast(reader: MemoryReader, meant: NotebookMeant): Promise<readonly NotebookVersion[]>;
  restoreNotebook(
    reader: MemoryReader,
    meant: NotebookMeant & { readonly version: number },
    language: Language,
  ): Promise<NotebookChanged>;
  find(reader: MemoryReader, asked: EntriesAsked, signal: AbortSignal): Promise<readonly FoundEntry[]>;
  /** Every version, newest first. */
  versions(reader: MemoryReader, id: string): Promise<readonly MemoryEntry[]>;
  add(reader: MemoryReader, entry: NewEntry, language: Language): Promise<MemoryEntry>;
  edit(reader: MemoryReader, id: string, text: string, language: Language): Promise<MemoryEntry>;
  feedback(reader: MemoryReader, id: string, helpful: boolean): Promise<MemoryEntry>;
  forget(reader: MemoryReader, id: string): Promise<void>;
  restore(reader: MemoryReader, id: string): Promise<void>;
  /** Nothing of it is left: no version, no term, no vector. */
  erase(reader: MemoryReader, id: string): Promise<void>;
  user(reader: MemoryReader, of: MemoryScope | undefined, language: Language): Promise<UserView>;
  setUser(
    reader: MemoryReader,
    set: { readonly of?: MemoryScope | undefined; readonly path: string; readonly value: string },
  ): Promise<void>;
  eraseUser(
    reader: MemoryReader,
    what: { readonly of?: MemoryScope | undefined; readonly path?: string | undefined },
  ): Promise<boolean>;
  waiting(reader: MemoryReader, language: Language): Promise<readonly WaitingWrite[]>;
  settle(
    reader: MemoryReader,
    write: { readonly id: string; readonly approve: boolean },
    language: Language,
  ): Promise<string>;
  cleanup(maxAgeDays: number): Promise<{ forgotten: number; erased: number; kept: number }>;
  export(): AsyncIterable<string>;
}

const SHARED_MS = 1_000;

export async function openServedMemory(deps: Needs): Promise<ServedMemory> {
  const open = await deps.memory();
  const { memory, store, staged, user, secrets } = open;
  const settings = deps.settings.memory;
  const clean = <T>(value: T): T => redactDeep(value, secrets);
  const local = personOf(localView().audience.source, localView().audience.user);
  const people = (await deps.people()).map((name) => personOf('console', name));
  // A count walks over all entries: everyone who looks at the same time shares it.
  const tally = sharedAnswers<Awaited<ReturnType<typeof store.tally>>>(SHARED_MS, Date.now);
  const counted = () => tally('', () => store.tally());

  const placeOf = (reader: MemoryReader): MemoryScope | undefined =>
    reader.owner ? local : ownScopes(reader)[0];
  /** Whose is meant. What is not a place of theirs is not there. */
  const placed = async (reader: MemoryReader, of: MemoryScope | undefined) => {
    if (of === undefined) return placeOf(reader);
    if (!(await placesOf(reader)).includes(of)) throw absent('such place');
    return of;
  };
  const placesOf = async (reader: MemoryReader): Promise<readonly MemoryScope[]> => {
    if (!reader.owner) return ownScopes(reader);
    const found = (await counted()).map(({ scope }) => scope);
    const writes = (await staged.list()).map(({ scope }) => scope);
    const all = [local, ...ownScopes(reader), ...people, ...found, ...writes];
    return [...new Set(all)].filter((scope) => scope !== 'team');
  };
  const person = async (reader: MemoryReader, of: MemoryScope | undefined): Promise<MemoryScope> => {
    const scope = await placed(reader, of);
    if (!scope || viewOf(scope).shared) throw fail('input.not_found', 'Only of a person something is known.');
    return scope;
  };

  return {
    overview: async (reader) => {
      const [counts, places, writes, vectors] = await Promise.all([
        counted(),
        placesOf(reader),
        waitingFor(open, reader, 'en'),
        vectorsOf(deps),
      ]);
      const place = placeOf(reader);
      return {
        enabled: settings.enabled,
        counts: summed(counts.filter(({ scope }) => sees(reader, scope))),
        waiting: writes.length,
        vectors,
        ranking: settings.ranking,
        writeApproval: settings.write_approval,
        retentionDays: settings.retention_days ?? 90,
        places,
        ...(place ? { place } : {}),
      };
    },
    notebooks: async (reader, of, language) =>
      clean(await viewNotebooks(open, await placed(reader, of), language)),
    change: async (reader, change, options) =>
      clean(await changeNotebook(open, reader, { ...change, of: await placed(reader, change.of) }, options)),
    notebookPast: async (reader, meant) =>
      clean(await notebookPast(open, reader, { ...meant, of: await placed(reader, meant.of) })),
    restoreNotebook: async (reader, meant, language) =>
      clean(await restoreNotebook(open, reader, { ...meant, of: await placed(reader, meant.of) }, language)),
    find: async (reader, asked, signal) => clean(await findEntries(open, reader, asked, signal)),
    versions: async (reader, id) => {
      await mustSee(open, reader, id);
      return clean(await memory.history(id));
    },
    add: async (reader, entry, language) =>
      clean(await addEntry(open, reader, { ...entry, of: await placed(reader, entry.of) }, language)),
    edit: async (reader, id, text, language) => clean(await editEntry(open, reader, { id, text }, language)),
    feedback: async (reader, id, helpful) => {
      await mustSee(open, reader, id);
      return clean(await memory.feedback(id, helpful));
    },
    forget: async (reader, id) => {
      await mustChange(open, reader, id);
      await memory.forget([id]);
    },
    restore: async (reader, id) => {
      await mustChange(open, reader, id);
      await memory.restore([id]);
    },
    erase: async (reader, id) => {
      await mustChange(open, reader, id);
      await memory.forget([id], undefined, { erase: true });
    },
    user: async (reader, asked, language) => {
      const of = await person(reader, asked);
      const view = viewOf(of);
      const [told, behind] = await Promise.all([user.show(view, language), user.traits(view)]);
      if (!behind) throw fail('input.not_found', 'Only of a person something is known.');
      return clean({ of, told, behind });
    },
    setUser: async (reader, { of, path, value }) => user.set(viewOf(await person(reader, of)), path, value),
    eraseUser: async (reader, { of, path }) => user.erase(viewOf(await person(reader, of)), path),
    waiting: async (reader, language) => clean(await waitingFor(open, reader, language)),
    settle: async (reader, write, language) => clean(await settleWrite(open, reader, write, language)),
    cleanup: async (maxAgeDays) => {
      const { forgotten, erased, keptInUse, keptByKind } = await memory.cleanup({
        maxAgeDays,
        keepFrequentlyAccessed: true,
      });
      return { forgotten, erased, kept: keptInUse + keptByKind };
    },
    export: async function* () {
      for await (const line of memory.export()) yield `${redact(line.trimEnd(), secrets)}\n`;
    },
  };
}

async function vectorsOf(deps: Needs): Promise<MemoryOverview['vectors']> {
  const { embedder } = deps.settings.memory;
  if (embedder !== 'local') return { embedder, state: embedder === 'off' ? 'off' : 'ready' };
  return { embedder, state: (await deps.embedder()).state };
}

/** By kind and state, whoever's they are. */
function summed(
  counts: readonly { readonly kind: MemoryKind; readonly state: MemoryState; readonly count: number }[],
): MemoryOverview['counts'] {
  const sums = new Map<string, MemoryOverview['counts'][number]>();
  for (const { kind, state, count } of counts) {
    const key = `${kind} ${state}`;
    sums.set(key, { kind, state, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

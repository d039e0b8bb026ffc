import type { KnownSecrets } from '#kit/redact';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import type { MemoryEntry, MemoryProvenance } from '#spec/data';
import type { Embedder, MemoryCensus, MemoryIndex, MemoryStore } from '#spec/ports';
import type { MemoryNotice } from '../notice.ts';
import { homeScope, type MemoryView, scopesOf } from '../scopes.ts';
import { allEntries } from './all-entries.ts';
import { cleanUp } from './cleanup.ts';
import { entryProblem, harmlessContext, tidy } from './entry-problem.ts';
import { indexer } from './index-pending.ts';
import type { Memory, MemoryRanking, Remembered, Telling } from './memory.ts';
import { recallEntries } from './recall.ts';
import { exportLine, importLines } from './transfer.ts';

export interface MemoryDeps {
  readonly store: MemoryStore & MemoryCensus;
  readonly index: MemoryIndex;
  readonly embedder?: Embedder;
  readonly now: () => number;
  readonly ranking?: MemoryRanking;
  readonly language?: Language;
  /** Literals that must not be kept, such as the keys of the profile. */
  readonly secrets?: KnownSecrets;
  /** Told once about what makes recall worse than it could be. */
  readonly tell?: (notice: MemoryNotice) => void;
}

/** How far something is believed at first, by who said it. */
const FIRST_TRUST: Readonly<Record<MemoryProvenance['by'], number>> = {
  user: 0.8,
  agent: 0.6,
  review: 0.5,
  rule: 0.6,
  workflow: 0.6,
  incident: 0.7,
  import: 0.5,
  notebook: 0.6,
};
/** How far one word of feedback moves trust. It falls faster than it grows. */
const GROWS = 0.15;
const FALLS = 0.3;
const LISTED = 50;
const EVERY_STATE = ['active', 'replaced', 'forgotten'] as const;

const never = new AbortController().signal;

export function openMemory({
  store,
  index,
  embedder,
  now,
  ranking = 'hybrid',
  language = 'en',
  secrets = [],
  tell,
}: MemoryDeps): Memory {
  const work = indexer(index, embedder, now, tell ?? (() => undefined));
  const within = (view: MemoryView | undefined) => (view ? { scopes: scopesOf(view) } : {});

  const find = async (id: string, view: MemoryView | undefined): Promise<MemoryEntry> => {
    const [entry] = await store.list({ ids: [id], ...within(view), states: EVERY_STATE, limit: 1 });
    if (!entry)
      throw fail('input.invalid', `There is no memory '${id}'`, 'hermes memory list shows their ids');
    return entry;
  };

  return {
    remember: (telling, view) => remember(store, telling, view, now(), language, secrets),
    recall: async (query, view, options = {}) => {
      const seen = view ? scopesOf(view) : [...new Set((await store.tally()).map(({ scope }) => scope))];
      const scopes = seen.filter((scope) => options.scopes?.includes(scope) ?? true);
      return recallEntries({ index, indexer: work, ranking, now }, query, scopes, options);
    },
    shown: async (ids) => {
      if (ids.length) await store.touch(ids, now());
    },
    list: (view, { limit = LISTED, ...filter } = {}) => store.list({ ...filter, ...within(view), limit }),
    feedback: async (id, helpful, view) => {
      const { trust } = await find(id, view);
      const moved = helpful ? trust + GROWS * (1 - trust) : trust * (1 - FALLS);
      return (await store.change(id, { trust: moved })) ?? find(id, view);
    },
    edit: async (id, given, view) => {
      const before = await find(id, view);
      if (before.state !== 'active') throw notActive(before);
      const text = tidy(given);
      const why = entryProblem({ text }, language, secrets);
      if (why) return { status: 'refused', why };
      if (before.text === text) return { status: 'same', entry: before };
      const entry = await store.change(id, { text });
      return { status: 'replaced', entry: entry ?? before };
    },
    forget: async (ids, view, { erase = false } = {}) => {
      const entries = await Promise.all(ids.map((id) => find(id, view)));
      if (erase) return store.erase(entries.map(({ id }) => id));
      const older = entries.find(({ state }) => state === 'replaced');
      if (older) throw notActive(older);
      const active = entries.filter(({ state }) => state === 'active');
      for (const { id } of active) await store.change(id, { state: 'forgotten' });
      return active.length;
    },
    restore: async (ids, view) => {
      const entries = await Promise.all(ids.map((id) => find(id, view)));
      const forgotten = entries.filter(({ state }) => state === 'forgotten');
      for (const { id } of forgotten) await store.change(id, { state: 'active' });
      return forgotten.length;
    },
    history: async (id, view) => {
      await find(id, view);
      return store.history(id);
    },
    export: async function* (view) {
      for await (const entry of allEntries(store, within(view))) yield exportLine(entry);
    },
    import: (lines, view) => importLines(store, lines, view, now, { language, secrets }),
    cleanup: (options, view) => cleanUp(store, options, within(view), now()),
    indexPending: ({ most, signal = never } = {}) => work.pending(most, signal),
  };
}

async function remember(
  store: Pick<MemoryStore, 'put'>,
  { text: given, scope, at, trust, context, ...rest }: Telling,
  view: MemoryView,
  now: number,
  language: Language,
  secrets: KnownSecrets,
): Promise<Remembered> {
  const text = tidy(given);
  const why = entryProblem({ text, key: rest.key }, language, secrets);
  if (why) return { status: 'refused', why };
  const place = scope ?? homeScope(rest.kind, view);
  if (!scopesOf(view).includes(place))
    throw fail('input.invalid', `This conversation may not write to '${place}'`);
  const id = newId('mem');
  const around = harmlessContext(context);
  const [entry] = await store.put([
    {
      ...rest,
      id,
      text,
      scope: place,
      at: at ?? now,
      trust: trust ?? FIRST_TRUST[rest.provenance.by],
      ...(around ? { context: around } : {}),
    },
  ]);
  if (!entry) throw fail('internal', 'The store kept nothing and did not say why');
  if (entry.id !== id) return { status: 'same', entry };
  return { status: entry.replaces ? 'replaced' : 'new', entry };
}

/** Only what is found now can be changed. */
const notActive = ({ id, state }: MemoryEntry) =>
  state === 'forgotten'
    ? fail('input.invalid', `The memory '${id}' is forgotten`, `hermes memory restore ${id}`)
    : fail(
        'input.invalid',
        `The memory '${id}' is an older version`,
        `hermes memory show ${id} names the newest one`,
      );

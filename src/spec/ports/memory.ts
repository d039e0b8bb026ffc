import type { Audience, MemoryEntry, MemoryKind, MemoryScope, MemoryState, StagedWrite } from '#spec/data';
import type { Embedding } from './embedder.ts';
import type { Missing } from './missing.ts';
import type { SearchField } from './session-store.ts';

/** An entry before it is stored. */
export type NewMemory = Pick<MemoryEntry, 'scope' | 'kind' | 'text' | 'provenance' | 'at'> &
  Partial<Pick<MemoryEntry, 'id' | 'key' | 'context' | 'trust' | 'expiresAt'>>;

export interface MemoryFilter {
  readonly ids?: readonly string[];
  /** Entries of these scopes; without it, of all. */
  readonly scopes?: readonly MemoryScope[];
  readonly kinds?: readonly MemoryKind[];
  /** Exactly this key, or with a trailing `/`, keys that begin so. */
  readonly key?: string;
  /** `active` unless said otherwise; what has expired counts as forgotten. */
  readonly states?: readonly MemoryState[];
  /** Not used since: the later of its writing and its last access. */
  readonly unusedSince?: number;
  readonly limit: number;
  /** Made before this moment. */
  readonly before?: number;
}

/** What may change of an entry without making it another one. A new text is a new version. */
export type MemoryPatch = Partial<Pick<MemoryEntry, 'text' | 'trust' | 'expiresAt' | 'state' | 'key'>>;

/** The long-term memory of one home. Several processes may have it open; what a promise reported is on disk. */
export interface MemoryStore {
  /**
   * In one transaction. An entry whose scope and key an active one has takes its place as the next version; one with
   * the same scope, kind and text as an active one, and no other key, changes nothing and gives that back.
   */
  put(entries: readonly NewMemory[]): Promise<readonly MemoryEntry[]>;
  /** Newest first. */
  list(filter: MemoryFilter): Promise<readonly MemoryEntry[]>;
  /** Undefined: there is no such entry. */
  change(id: string, patch: MemoryPatch): Promise<MemoryEntry | undefined>;
  /** Counts an access of each. */
  touch(ids: readonly string[], at: number): Promise<void>;
  /** Every version of the entry, newest first. */
  history(id: string): Promise<readonly MemoryEntry[]>;
  /** Removes entries with all their versions, terms and vectors, so that nothing of them is left in the file. */
  erase(ids: readonly string[]): Promise<number>;
  count(): Promise<number>;
}

/** The long-term memory from above, at some cost. */
export interface MemoryCensus {
  /** How many entries there are of each kind and state in each scope, older versions among them. */
  tally(): Promise<readonly MemoryTally[]>;
}

export interface MemoryTally {
  readonly scope: MemoryScope;
  readonly kind: MemoryKind;
  readonly state: MemoryState;
  readonly count: number;
}

/** An entry as the full-text search sees it: texts already cut into terms. */
export interface MemoryTerms {
  readonly id: string;
  readonly fields: Readonly<Record<SearchField, string>>;
}

/** The rebuildable part beside the entries: terms and vectors. Only active entries are found. */
export interface MemoryIndex {
  putTerms(entries: readonly MemoryTerms[]): Promise<void>;
  /** Entries that have no terms yet, oldest first. */
  withoutTerms(limit: number): Promise<readonly MemoryEntry[]>;
  /** By weighted BM25 over the fields, best first. Higher is better. */
  byTerms(
    terms: readonly string[],
    weights: Readonly<Record<SearchField, number>>,
    scopes: readonly MemoryScope[],
    limit: number,
  ): Promise<readonly { readonly entry: MemoryEntry; readonly score: number }[]>;
  frequencies(
    terms: readonly string[],
  ): Promise<{ readonly counts: readonly number[]; readonly total: number }>;
  putVectors(vectors: readonly ({ readonly id: string } & Embedding)[]): Promise<void>;
  /** Entries that have no vector yet, oldest first. */
  withoutVector(limit: number): Promise<readonly MemoryEntry[]>;
  /** By cosine, best first: exact while there are few, from a coarse first pass when there are many. */
  byVector(
    embedding: Embedding,
    scopes: readonly MemoryScope[],
    limit: number,
  ): Promise<readonly { readonly entry: MemoryEntry; readonly similarity: number }[]>;
}

/** Writes that wait for a person, oldest first. */
export interface StagedWrites {
  add(write: StagedWrite): Promise<void>;
  /** Those of these scopes; without any named, of all. */
  list(scopes?: readonly MemoryScope[]): Promise<readonly StagedWrite[]>;
  /** Takes it out; undefined when it is not there any more: of two that decide, one gets it. */
  take(id: string): Promise<StagedWrite | undefined>;
}

/** Small files that people read and edit as well: notebooks, and what is known of a user. */
export interface NotebookFiles {
  /** `folder` is relative to the notebooks of the home; empty for those of whoever sits at this machine. */
  read(folder: string, name: string): Promise<string | undefined>;
  /**
   * Under a lock that also holds against other processes: reads, changes, writes as a whole. The change may be async;
   * undefined leaves the file as it is, an empty text removes it. Tells the text that is there afterwards.
   */
  edit(
    folder: string,
    name: string,
    change: (text: string) => Promise<string | undefined> | string | undefined,
  ): Promise<string>;
  /** Folders that have notebooks. */
  folders(): Promise<readonly string[]>;
}

/** Something that an outside memory service knows. */
export interface OutsideMemory {
  readonly text: string;
  readonly score?: number;
  readonly at?: number;
}

/** An outside memory service, used beside the long-term store. Whatever it says is a weak prior. */
export interface MemoryProvider {
  readonly name: string;
  recall(
    query: string,
    audience: Audience,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly OutsideMemory[]>;
  /** Tells it of a turn that is over. */
  observe(
    turn: { readonly session: string; readonly said: string; readonly answered: string; readonly at: number },
    audience: Audience,
    signal: AbortSignal,
  ): Promise<void>;
  /** Has it forget everything about this person. */
  forget(audience: Audience, signal: AbortSignal): Promise<void>;
}

/** How a provider is set up. `key` gives secrets of the profile by the name of their variable. */
export interface MemoryProviderKind {
  readonly name: string;
  missing(key: (name: string) => string | undefined): Missing | undefined;
  open(options: {
    readonly key: (name: string) => string | undefined;
    readonly fetch: typeof fetch;
  }): MemoryProvider;
}

export const defineMemoryProvider = (kind: MemoryProviderKind): MemoryProviderKind => kind;

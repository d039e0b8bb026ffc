import type { ScoreShare } from '#engines/retrieval';
import type { MemoryEntry, MemoryKind, MemoryScope, MemoryState } from '#spec/data';
import type { MemoryFilter, NewMemory } from '#spec/ports';
import type { MemoryView } from '../scopes.ts';

/** How recall orders what it finds: text and vectors as measured best, text alone, with holographic vectors, or the seed's 0.6/0.3/0.1. */
const RANKINGS = ['hybrid', 'text', 'hrr', 'seed'] as const;
export type MemoryRanking = (typeof RANKINGS)[number];

/** What a score is made of, each from 0 to 1. Parts that did not count are 0. */
export interface ScoreBreakdown {
  readonly text: number;
  readonly vector: number;
  /** Bound vectors are compared only where they help; they do not by default. */
  readonly hrr: number;
  readonly recency: number;
  readonly trust: number;
  readonly access: number;
  readonly final: number;
}

export interface RecalledMemory {
  readonly entry: MemoryEntry;
  readonly score: number;
  /** How much of what the query tells the entry has, from 0 to 1. Words that nothing has count too. */
  readonly coverage?: number;
  /** How much of what the entry tells the query has. */
  readonly covered?: number;
  /** The cosine, where both have a vector. */
  readonly similarity?: number;
  readonly breakdown?: ScoreBreakdown;
  /** The points that each part gave, which together are the score. `doubt` is what little trust takes off. */
  readonly shares?: ScoreShares;
  /** The terms of the query that the entry itself has. */
  readonly matched?: readonly string[];
}

type ScoreShares = Readonly<Partial<Record<ScoreShare | 'doubt', number>>>;

/** Something to remember: it goes where its kind belongs unless a scope is named. */
export type Telling = Omit<NewMemory, 'scope' | 'at' | 'id'> & Partial<Pick<NewMemory, 'scope' | 'at'>>;

export type Remembered =
  | { readonly status: 'new' | 'same' | 'replaced'; readonly entry: MemoryEntry }
  | { readonly status: 'refused'; readonly why: string };

export interface RecallOptions {
  readonly limit?: number;
  readonly signal?: AbortSignal;
  /** Adds how much query and entry tell of each other. */
  readonly overlap?: boolean;
  /** Adds the parts of each score. */
  readonly explain?: boolean;
  /** Of what is seen, only these scopes. */
  readonly scopes?: readonly MemoryScope[];
}

export interface CleanupOptions {
  readonly maxAgeDays: number;
  readonly keepFrequentlyAccessed: boolean;
}

export interface CleanupReport {
  /** Too old and forgotten now: not found any more, still in the store. */
  readonly forgotten: number;
  /** Forgotten by an earlier clean-up and gone for good now. */
  readonly erased: number;
  /** Old, but used often. */
  readonly keptInUse: number;
  /** Old, but a rule or a preference, which age does not make wrong. */
  readonly keptByKind: number;
}

export interface ImportReport {
  readonly added: number;
  readonly same: number;
  readonly refused: readonly { readonly line: number; readonly why: string }[];
}

interface ListOptions {
  readonly kinds?: readonly MemoryKind[];
  readonly states?: readonly MemoryState[];
  readonly key?: string;
  readonly limit?: number;
  readonly before?: number;
}

/** The long-term memory. A view decides what is seen; without one, where that is allowed, it is the whole home. */
export interface Memory {
  remember(telling: Telling, view: MemoryView): Promise<Remembered>;
  /** Any text is a query. Nothing is counted as used before `shown` says so. */
  recall(
    query: string,
    view: MemoryView | undefined,
    options?: RecallOptions,
  ): Promise<readonly RecalledMemory[]>;
  /** Counts an access of entries that somebody, a person or the model, was shown. */
  shown(ids: readonly string[]): Promise<void>;
  list(view: MemoryView | undefined, options?: ListOptions): Promise<readonly MemoryEntry[]>;
  /** Moves the trust of an entry towards 1 or 0. */
  feedback(id: string, helpful: boolean, view?: MemoryView): Promise<MemoryEntry>;
  /** A new version with another text; refused like any other write. */
  edit(id: string, text: string, view?: MemoryView): Promise<Remembered>;
  /** Not found any more; with `erase` nothing of it is left. */
  forget(ids: readonly string[], view?: MemoryView, options?: { readonly erase?: boolean }): Promise<number>;
  /** Finds again what was forgotten and not erased. */
  restore(ids: readonly string[], view?: MemoryView): Promise<number>;
  history(id: string, view?: MemoryView): Promise<readonly MemoryEntry[]>;
  /** One JSON object a line. */
  export(view?: MemoryView): AsyncIterable<string>;
  import(lines: Iterable<string> | AsyncIterable<string>, view: MemoryView): Promise<ImportReport>;
  cleanup(options: CleanupOptions, view?: MemoryView): Promise<CleanupReport>;
  /** Takes up some of the entries that have no terms or vectors yet; tells whether there are more. */
  indexPending(options?: { readonly most?: number; readonly signal?: AbortSignal }): Promise<IndexReport>;
}

export interface IndexReport {
  readonly terms: number;
  readonly vectors: number;
  readonly more: boolean;
}

export type Scopes = NonNullable<MemoryFilter['scopes']>;

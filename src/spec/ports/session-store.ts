import type { AgentEvent, Audience, FrozenPrefix, MessageState, Session, StoredMessage } from '#spec/data';

export interface SessionFilter {
  readonly audience?: Partial<Audience>;
  /** Matches a title or the beginning of an id. */
  readonly text?: string;
  readonly limit?: number;
  readonly before?: number;
}

export type SessionPatch = Partial<Pick<Session, 'title' | 'model' | 'cwd'>>;

/** Conversations as a whole. Writing is atomic; whatever a promise reported is on disk. */
export interface SessionStore {
  /** Stores the session and the prefix it will be sent with. */
  create(session: Session, prefix: FrozenPrefix): Promise<void>;
  get(id: string): Promise<{ readonly session: Session; readonly prefix: FrozenPrefix } | undefined>;
  /** Newest first. */
  list(filter: SessionFilter): Promise<readonly Session[]>;
  update(id: string, patch: SessionPatch): Promise<void>;
  remove(ids: readonly string[]): Promise<number>;
}

/** What one step of a turn adds. Messages get their `seq` from the store, which returns them as stored. */
export interface TranscriptEntry extends Omit<StoredMessage, 'seq' | 'position' | 'session'> {
  readonly position?: number;
}

/** The messages and facts of sessions. */
export interface Transcript {
  /** Adds messages and facts in one transaction, and adds their usage and cost to the session's totals. */
  append(
    session: string,
    entries: readonly TranscriptEntry[],
    facts: readonly Fact[],
  ): Promise<readonly StoredMessage[]>;
  /** In order of position. Without `states`, the active ones. */
  read(session: string, states?: readonly MessageState[]): Promise<readonly StoredMessage[]>;
  /** Changes the state of messages and adds entries that take their place, in one transaction. */
  rewrite(
    session: string,
    change: {
      readonly ids: readonly string[];
      readonly state: MessageState;
      readonly entries: readonly TranscriptEntry[];
    },
    facts: readonly Fact[],
  ): Promise<readonly StoredMessage[]>;
  /**
   * Keeps what has been shown of an answer that is not complete yet, replacing the last such draft. Synchronous, so
   * that nothing is shown before it is kept; the next `append` clears it.
   */
  draft(session: string, text: string): void;
  /** The draft that a killed process left behind, taken once. */
  takeDraft(session: string): Promise<string | undefined>;
  /** The facts of a session after a sequence number, in order. */
  facts(session: string, afterSeq: number, limit: number): Promise<readonly AgentEvent[]>;
}

/** A stored event before the store has numbered it. */
export type Fact = { readonly type: string; readonly data: unknown; readonly at: number };

/** One message as the search sees it: texts already cut into terms by whoever owns the ranking. */
export interface IndexEntry {
  readonly id: string;
  readonly session: string;
  /** Terms of the message, its speaker, its neighbours and its date, each as words separated by spaces. */
  readonly fields: Readonly<Record<SearchField, string>>;
}

export const SEARCH_FIELDS = ['text', 'speaker', 'previous', 'next', 'date'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchHit {
  readonly id: string;
  readonly session: string;
  /** Higher is better. */
  readonly score: number;
  readonly message: StoredMessage;
}

/** A message whose entry is missing or was made before its neighbours were complete. */
export interface UnindexedMessage {
  readonly message: StoredMessage;
  readonly previous?: StoredMessage;
  readonly next?: StoredMessage;
}

export interface SearchScope {
  readonly audience?: Partial<Audience>;
  readonly sessions?: readonly string[];
  readonly excludeSessions?: readonly string[];
}

/** A rebuildable full-text index beside the messages. It never rejects a query. */
export interface SearchIndex {
  /** Adds entries, or replaces those of the same message. */
  put(entries: readonly IndexEntry[]): Promise<void>;
  /** Messages whose entries have any of the terms, by weighted BM25 over the fields. Undone ones are left out. */
  query(
    terms: readonly string[],
    weights: Readonly<Record<SearchField, number>>,
    scope: SearchScope,
    limit: number,
  ): Promise<readonly SearchHit[]>;
  /** Messages that hold these very words, whatever their case, newest first. Undone ones are left out. */
  phrase(words: string, scope: SearchScope, limit: number): Promise<readonly SearchHit[]>;
  /** In how many entries each term occurs, and how many entries there are. */
  frequencies(
    terms: readonly string[],
  ): Promise<{ readonly counts: readonly number[]; readonly total: number }>;
  /** Messages whose entry is to be put (again), oldest first within a session. */
  missing(limit: number): Promise<readonly UnindexedMessage[]>;
}

import { queryOptions } from '@tanstack/react-query';
import type { MemoryEntry, MemoryKind, MemoryState } from '#spec/data';
import { pathOf, request } from '../api/request.ts';
import type { Language } from '../language/define-text.ts';

export interface MemoryOverview {
  readonly enabled: boolean;
  readonly counts: readonly {
    readonly kind: MemoryKind;
    readonly state: MemoryState;
    readonly count: number;
  }[];
  readonly waiting: number;
  readonly vectors: {
    readonly embedder: 'local' | 'remote' | 'off';
    readonly state: 'ready' | 'partly' | 'absent' | 'unsupported' | 'off';
  };
  readonly writeApproval: boolean;
  readonly retentionDays: number;
  /** Scopes of people and chats. */
  readonly places: readonly string[];
  readonly place?: string;
}

export type NotebookName = 'memory' | 'user' | 'service' | 'fault' | 'habit';

export interface NotebookEntry {
  readonly id: string;
  readonly text: string;
  readonly refused?: string;
}

export interface Notebook {
  readonly name: NotebookName;
  readonly file: string;
  readonly scope: string;
  readonly team: boolean;
  readonly limit: number;
  readonly used: number;
  readonly entries: readonly NotebookEntry[];
}

/** A notebook as it was before an edit. */
export interface NotebookVersion {
  readonly version: number;
  readonly until: number;
  readonly entries: readonly string[];
}

export interface NotebookChange {
  readonly action: 'add' | 'replace' | 'remove';
  readonly of?: string;
  readonly entry?: string;
  readonly content?: string;
}

export interface NotebookChanged {
  readonly ok: boolean;
  readonly said: string;
  readonly used: number;
  readonly limit: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly archived: readonly string[];
}

/** What adds to the score of a hit, or takes from it. */
export const SCORE_SHARES = [
  'terms',
  'vectors',
  'hrr',
  'length',
  'group',
  'recency',
  'use',
  'newest',
  'asking',
  'doubt',
] as const;
export type ScoreShare = (typeof SCORE_SHARES)[number];

export interface FoundEntry {
  readonly entry: MemoryEntry;
  readonly score?: number;
  /** Points, which together are the score. */
  readonly shares?: Readonly<Partial<Record<ScoreShare, number>>>;
  readonly matched?: readonly string[];
  readonly similarity?: number;
  readonly coverage?: number;
}

export interface EntriesAsked {
  readonly q?: string;
  readonly kind?: string;
  readonly scope?: string;
  readonly state?: string;
  readonly limit: number;
}

export type ProfileField =
  | 'tech_stack'
  | 'communication_style'
  | 'expertise_level'
  | 'frequent_tasks'
  | 'preferences'
  | 'working_hours';

export interface Trait {
  readonly field: ProfileField;
  readonly part: string;
  readonly source: 'set' | 'inferred';
  readonly value?: string;
  readonly weight?: number;
  readonly needed?: number;
  readonly at?: number;
}

export interface UserView {
  readonly of: string;
  readonly told: Readonly<
    Partial<Record<ProfileField, { readonly value: string; readonly source: 'set' | 'inferred' }>>
  >;
  readonly behind: {
    readonly turns: number;
    readonly traits: readonly Trait[];
    readonly languages: Readonly<Record<string, number>>;
    readonly style: { readonly short: number; readonly long: number; readonly code: number };
    readonly hours: readonly number[];
  };
}

export interface WaitingWrite {
  readonly id: string;
  readonly scope: string;
  readonly target: 'notebook' | 'entry';
  readonly place: string;
  readonly before: string;
  readonly after: string;
  readonly archived: readonly string[];
  readonly why: string;
  readonly session?: string;
  readonly at: number;
  readonly problem?: string;
}

const POST = { method: 'POST' } as const;

export const memoryApi = {
  change: (name: NotebookName, change: NotebookChange, language: Language, preview: boolean) =>
    request<NotebookChanged>(`${pathOf`/api/memory/notebooks/${name}`}${preview ? '/preview' : ''}`, {
      ...POST,
      query: { language },
      body: change,
    }),
  restoreNotebook: (name: NotebookName, of: string | undefined, version: number, language: Language) =>
    request<NotebookChanged>(pathOf`/api/memory/notebooks/${name}/restore`, {
      ...POST,
      query: { language },
      body: { version, ...(of === undefined ? {} : { of }) },
    }),
  add: (
    entry: {
      readonly text: string;
      readonly kind: string;
      readonly key?: string | undefined;
      readonly of?: string | undefined;
    },
    language: Language,
  ) => request<MemoryEntry>('/api/memory/entries', { ...POST, query: { language }, body: entry }),
  edit: (id: string, text: string, language: Language) =>
    request<MemoryEntry>(pathOf`/api/memory/entries/${id}`, {
      method: 'PUT',
      query: { language },
      body: { text },
    }),
  feedback: (id: string, helpful: boolean) =>
    request<MemoryEntry>(pathOf`/api/memory/entries/${id}/feedback`, { ...POST, body: { helpful } }),
  forget: (id: string) => request<void>(pathOf`/api/memory/entries/${id}/forget`, { ...POST, body: {} }),
  restore: (id: string) => request<void>(pathOf`/api/memory/entries/${id}/restore`, { ...POST, body: {} }),
  erase: (id: string) => request<void>(pathOf`/api/memory/entries/${id}`, { method: 'DELETE' }),
  setUser: (set: { readonly of: string; readonly path: string; readonly value: string }) =>
    request<void>('/api/memory/user', { method: 'PUT', body: set }),
  eraseUser: (of: string, path?: string) =>
    request<{ erased: boolean }>('/api/memory/user', { method: 'DELETE', query: { of, path } }),
  settle: (id: string, word: 'approve' | 'reject', language: Language) =>
    request<{ said: string }>(`${pathOf`/api/memory/staged/${id}`}/${word}`, {
      ...POST,
      query: { language },
      body: {},
    }),
  cleanup: (days: number) =>
    request<{ forgotten: number; erased: number; kept: number }>('/api/memory/cleanup', {
      ...POST,
      body: { days },
    }),
  exportAddress: '/api/memory/export',
};

const WATCHED_MS = 5_000;
const CALM_MS = 15_000;

/** Every key begins with `memory`: a change makes all of it stale. */
export const memoryQueries = {
  overview: () =>
    queryOptions({
      queryKey: ['memory', 'overview'],
      queryFn: ({ signal }) => request<MemoryOverview>('/api/memory', { signal }),
      refetchInterval: WATCHED_MS,
    }),
  notebooks: (of: string | undefined, language: Language) =>
    queryOptions({
      queryKey: ['memory', 'notebooks', of, language],
      queryFn: ({ signal }) =>
        request<readonly Notebook[]>('/api/memory/notebooks', { signal, query: { of, language } }),
      refetchInterval: CALM_MS,
    }),
  notebookPast: (name: NotebookName, of: string | undefined) =>
    queryOptions({
      queryKey: ['memory', 'past', name, of],
      queryFn: ({ signal }) =>
        request<readonly NotebookVersion[]>(pathOf`/api/memory/notebooks/${name}/history`, {
          signal,
          query: { of },
        }),
    }),
  entries: (asked: EntriesAsked) =>
    queryOptions({
      queryKey: ['memory', 'entries', asked],
      queryFn: ({ signal }) =>
        request<readonly FoundEntry[]>('/api/memory/entries', { signal, query: { ...asked } }),
      refetchInterval: CALM_MS,
    }),
  versions: (id: string) =>
    queryOptions({
      queryKey: ['memory', 'versions', id],
      queryFn: ({ signal }) => request<readonly MemoryEntry[]>(pathOf`/api/memory/entries/${id}`, { signal }),
    }),
  user: (of: string | undefined, language: Language) =>
    queryOptions({
      queryKey: ['memory', 'user', of, language],
      queryFn: ({ signal }) => request<UserView>('/api/memory/user', { signal, query: { of, language } }),
      refetchInterval: CALM_MS,
    }),
  waiting: (language: Language) =>
    queryOptions({
      queryKey: ['memory', 'staged', language],
      queryFn: ({ signal }) =>
        request<readonly WaitingWrite[]>('/api/memory/staged', { signal, query: { language } }),
      refetchInterval: WATCHED_MS,
    }),
};

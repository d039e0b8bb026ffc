import { queryOptions } from '@tanstack/react-query';
import type { BodySent, Calls, NotebookChange, NotebookName, QuerySent, ScoreShare } from '#spec/api';
import { addressOf, ask } from '../api/ask.ts';
import type { Language } from '#kit/language';

/** What adds to the score of a hit, or takes from it, in the order in which they are shown. */
export const SCORE_SHARES: readonly ScoreShare[] = [
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
];

export type EntriesAsked = QuerySent<Calls['GET /api/memory/entries']>;

export const memoryApi = {
  change: (name: NotebookName, body: NotebookChange, language: Language, preview: boolean) =>
    ask(`POST /api/memory/notebooks/:name${preview ? '/preview' : ''}`, {
      params: { name },
      query: { language },
      body,
    }),
  restoreNotebook: (name: NotebookName, version: number, of: string | undefined, language: Language) =>
    ask('POST /api/memory/notebooks/:name/restore', {
      params: { name },
      query: { language },
      body: { version, of },
    }),
  add: (body: BodySent<Calls['POST /api/memory/entries']>, language: Language) =>
    ask('POST /api/memory/entries', { query: { language }, body }),
  edit: (id: string, text: string, language: Language) =>
    ask('PUT /api/memory/entries/:id', { params: { id }, query: { language }, body: { text } }),
  feedback: (id: string, helpful: boolean) =>
    ask('POST /api/memory/entries/:id/feedback', { params: { id }, body: { helpful } }),
  forget: (id: string) => ask('POST /api/memory/entries/:id/forget', { params: { id } }),
  restore: (id: string) => ask('POST /api/memory/entries/:id/restore', { params: { id } }),
  erase: (id: string) => ask('DELETE /api/memory/entries/:id', { params: { id } }),
  setUser: (body: { readonly of: string; readonly path: string; readonly value: string }) =>
    ask('PUT /api/memory/user', { body }),
  eraseUser: (of: string, path?: string) => ask('DELETE /api/memory/user', { query: { of, path } }),
  settle: (id: string, word: 'approve' | 'reject', language: Language) =>
    ask(`POST /api/memory/staged/:id/${word}`, { params: { id }, query: { language } }),
  cleanup: (days: number) => ask('POST /api/memory/cleanup', { body: { days } }),
  exportAddress: addressOf('GET /api/memory/export'),
};

const WATCHED_MS = 5_000;
const CALM_MS = 15_000;

/** Every key begins with `memory`: a change makes all of it stale. */
export const memoryQueries = {
  overview: () =>
    queryOptions({
      queryKey: ['memory', 'overview'],
      queryFn: ({ signal }) => ask('GET /api/memory', { signal }),
      refetchInterval: WATCHED_MS,
    }),
  notebooks: (of: string | undefined, language: Language) =>
    queryOptions({
      queryKey: ['memory', 'notebooks', of, language],
      queryFn: ({ signal }) => ask('GET /api/memory/notebooks', { signal, query: { of, language } }),
      refetchInterval: CALM_MS,
    }),
  notebookPast: (name: NotebookName, of: string | undefined) =>
    queryOptions({
      queryKey: ['memory', 'past', name, of],
      queryFn: ({ signal }) =>
        ask('GET /api/memory/notebooks/:name/history', { params: { name }, signal, query: { of } }),
    }),
  entries: (asked: EntriesAsked) =>
    queryOptions({
      queryKey: ['memory', 'entries', asked],
      queryFn: ({ signal }) => ask('GET /api/memory/entries', { signal, query: asked }),
      refetchInterval: CALM_MS,
    }),
  versions: (id: string) =>
    queryOptions({
      queryKey: ['memory', 'versions', id],
      queryFn: ({ signal }) => ask('GET /api/memory/entries/:id', { params: { id }, signal }),
    }),
  user: (of: string | undefined, language: Language) =>
    queryOptions({
      queryKey: ['memory', 'user', of, language],
      queryFn: ({ signal }) => ask('GET /api/memory/user', { signal, query: { of, language } }),
      refetchInterval: CALM_MS,
    }),
  waiting: (language: Language) =>
    queryOptions({
      queryKey: ['memory', 'staged', language],
      queryFn: ({ signal }) => ask('GET /api/memory/staged', { signal, query: { language } }),
      refetchInterval: WATCHED_MS,
    }),
};

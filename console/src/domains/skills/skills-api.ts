import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { StartRun } from '#spec/api';
import { ask } from '../api/ask.ts';
import type { Language } from '#kit/language';

/** What can be done to skills. */
export const skillsApi = {
  pin: (name: string, on: boolean) => ask('POST /api/skills/:name/pin', { params: { name }, body: { on } }),
  restore: (name: string) => ask('POST /api/skills/:name/restore', { params: { name } }),
  undo: (id: string) => ask('POST /api/skill-edits/:id/undo', { params: { id } }),
  pass: (which: 'reflect' | 'curate') => ask(`POST /api/learning/${which}`),
  draft: (id: string, word: 'approve' | 'reject') =>
    ask(`POST /api/skill-drafts/:id/${word}`, { params: { id } }),
  start: (name: string, body: StartRun) => ask('POST /api/skills/:name/runs', { params: { name }, body }),
  move: (id: string, verb: 'cancel' | 'resume') =>
    ask(`POST /api/skill-runs/:id/${verb}`, { params: { id } }),
  answer: (id: string, question: string, choice: string) =>
    ask('POST /api/skill-runs/:id/answers/:question', { params: { id, question }, body: { choice } }),
  decide: (id: string, approval: string, granted: boolean) =>
    ask('POST /api/skill-runs/:id/approvals/:approval', { params: { id, approval }, body: { granted } }),
};

const SLOW_MS = 15_000;
const WATCHED_MS = 4_000;
const RUNNING_MS = 1_000;

/** What the pages of skills ask for: everything under `skills` is stale after a change. */
export const skillQueries = {
  list: (text: string) =>
    queryOptions({
      queryKey: ['skills', 'list', text],
      queryFn: ({ signal }) => ask('GET /api/skills', { query: { text }, signal }),
      refetchInterval: SLOW_MS,
      placeholderData: keepPreviousData,
    }),
  skill: (name: string, language: Language) =>
    queryOptions({
      queryKey: ['skills', 'skill', name, language],
      queryFn: ({ signal }) =>
        ask('GET /api/skills/:name', { params: { name }, query: { language }, signal }),
      refetchInterval: SLOW_MS,
    }),
  file: (name: string, path: string) =>
    queryOptions({
      queryKey: ['skills', 'file', name, path],
      queryFn: ({ signal }) =>
        ask('GET /api/skills/:name/files', { params: { name }, query: { path }, signal }),
    }),
  diff: (name: string, from: string, to: string) =>
    queryOptions({
      queryKey: ['skills', 'diff', name, from, to],
      queryFn: ({ signal }) =>
        ask('GET /api/skills/:name/diff', { params: { name }, query: { from, to }, signal }),
    }),
  learning: () =>
    queryOptions({
      queryKey: ['skills', 'learning'],
      queryFn: ({ signal }) => ask('GET /api/learning', { signal }),
      refetchInterval: SLOW_MS,
    }),
  edit: (id: string) =>
    queryOptions({
      queryKey: ['skills', 'edit', id],
      queryFn: ({ signal }) => ask('GET /api/skill-edits/:id', { params: { id }, signal }),
    }),
  /** Only the owner may ask. */
  drafts: () =>
    queryOptions({
      queryKey: ['skills', 'drafts'],
      queryFn: ({ signal }) => ask('GET /api/skill-drafts', { signal }),
      refetchInterval: SLOW_MS,
    }),
  runs: (skill: string) =>
    queryOptions({
      queryKey: ['skills', 'runs', skill],
      queryFn: ({ signal }) => ask('GET /api/skill-runs', { query: { skill, limit: 100 }, signal }),
      refetchInterval: WATCHED_MS,
    }),
  run: (id: string) =>
    queryOptions({
      queryKey: ['skills', 'run', id],
      queryFn: ({ signal }) => ask('GET /api/skill-runs/:id', { params: { id }, signal }),
      refetchInterval: ({ state }) => (state.data && state.data.state !== 'running' ? false : RUNNING_MS),
    }),
};

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { pathOf, request } from '../api/request.ts';
import type {
  DraftView,
  EditView,
  LearnEvent,
  LearningView,
  RunRow,
  RunView,
  SkillList,
  SkillPage,
  StartRun,
} from './records.ts';

const post = <T>(path: string, body: unknown = {}) => request<T>(path, { method: 'POST', body });

/** What can be done to skills. */
export const skillsApi = {
  pin: (name: string, on: boolean) => post<unknown>(pathOf`/api/skills/${name}/pin`, { on }),
  restore: (name: string) => post<unknown>(pathOf`/api/skills/${name}/restore`),
  undo: (edit: string) => post<unknown>(pathOf`/api/skill-edits/${edit}/undo`),
  pass: (which: 'reflect' | 'curate') => post<{ events: readonly LearnEvent[] }>(`/api/learning/${which}`),
  draft: (id: string, word: 'approve' | 'reject') =>
    post<unknown>(`${pathOf`/api/skill-drafts/${id}`}/${word}`),
  start: (name: string, asked: StartRun) =>
    post<{ run: string; ageMs?: number }>(pathOf`/api/skills/${name}/runs`, asked),
  move: (run: string, verb: 'cancel' | 'resume') =>
    post<unknown>(`${pathOf`/api/skill-runs/${run}`}/${verb}`),
  answer: (run: string, question: string, choice: string) =>
    post<unknown>(pathOf`/api/skill-runs/${run}/answers/${question}`, { choice }),
  decide: (run: string, approval: string, granted: boolean) =>
    post<unknown>(pathOf`/api/skill-runs/${run}/approvals/${approval}`, { granted }),
};

const SLOW_MS = 15_000;
const WATCHED_MS = 4_000;
const RUNNING_MS = 1_000;

/** What the pages of skills ask for: everything under `skills` is stale after a change. */
export const skillQueries = {
  list: (text: string) =>
    queryOptions({
      queryKey: ['skills', 'list', text],
      queryFn: ({ signal }) => request<SkillList>('/api/skills', { query: { text }, signal }),
      refetchInterval: SLOW_MS,
      placeholderData: keepPreviousData,
    }),
  skill: (name: string, language: string) =>
    queryOptions({
      queryKey: ['skills', 'skill', name, language],
      queryFn: ({ signal }) =>
        request<SkillPage>(pathOf`/api/skills/${name}`, { query: { language }, signal }),
      refetchInterval: SLOW_MS,
    }),
  file: (name: string, path: string) =>
    queryOptions({
      queryKey: ['skills', 'file', name, path],
      queryFn: ({ signal }) =>
        request<{ path: string; text: string }>(pathOf`/api/skills/${name}/files`, {
          query: { path },
          signal,
        }),
    }),
  diff: (name: string, from: string, to: string) =>
    queryOptions({
      queryKey: ['skills', 'diff', name, from, to],
      queryFn: ({ signal }) =>
        request<{ diff: string }>(pathOf`/api/skills/${name}/diff`, { query: { from, to }, signal }),
    }),
  learning: () =>
    queryOptions({
      queryKey: ['skills', 'learning'],
      queryFn: ({ signal }) => request<LearningView>('/api/learning', { signal }),
      refetchInterval: SLOW_MS,
    }),
  edit: (id: string) =>
    queryOptions({
      queryKey: ['skills', 'edit', id],
      queryFn: ({ signal }) => request<EditView>(pathOf`/api/skill-edits/${id}`, { signal }),
    }),
  /** Only the owner may ask. */
  drafts: () =>
    queryOptions({
      queryKey: ['skills', 'drafts'],
      queryFn: ({ signal }) => request<readonly DraftView[]>('/api/skill-drafts', { signal }),
      refetchInterval: SLOW_MS,
    }),
  runs: (skill: string) =>
    queryOptions({
      queryKey: ['skills', 'runs', skill],
      queryFn: ({ signal }) =>
        request<readonly RunRow[]>('/api/skill-runs', { query: { skill, limit: 100 }, signal }),
      refetchInterval: WATCHED_MS,
    }),
  run: (id: string) =>
    queryOptions({
      queryKey: ['skills', 'run', id],
      queryFn: ({ signal }) => request<RunView>(pathOf`/api/skill-runs/${id}`, { signal }),
      refetchInterval: ({ state }) => (state.data && state.data.state !== 'running' ? false : RUNNING_MS),
    }),
};

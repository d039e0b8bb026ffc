import { queryOptions } from '@tanstack/react-query';
import { addressOf, ask } from '../api/ask.ts';
import { type Facts, isRunning } from './arrange-turns.ts';

interface SessionFilter {
  readonly text?: string;
  readonly before?: number;
  readonly limit: number;
}

const LIST_MS = 5_000;
const RUNNING_MS = 1_500;
const MOST_FACTS = 5_000;
const MOST_FOUND = 50;

export const listSessions = (filter: SessionFilter, signal: AbortSignal) =>
  ask('GET /api/conversations', { query: filter, signal });

export const exportAddress = (id: string, format: 'json' | 'markdown'): string =>
  addressOf('GET /api/conversations/:id/export', { params: { id }, query: { format } });

/** Facts are never changed: only those after the last one that is known are asked for. */
async function readFacts(id: string, known: Facts, signal: AbortSignal): Promise<Facts> {
  let all = known;
  for (;;) {
    const query = { after: all.at(-1)?.seq ?? 0, limit: MOST_FACTS };
    const fresh = await ask('GET /api/conversations/:id/facts', { params: { id }, query, signal });
    if (fresh.length) all = [...all, ...fresh];
    if (fresh.length < MOST_FACTS) return all;
  }
}

const every = (facts: Facts | undefined): number =>
  facts && isRunning(facts, Date.now()) ? RUNNING_MS : LIST_MS;

export const sessionQueries = {
  list: (filter: SessionFilter) =>
    queryOptions({
      queryKey: ['conversations', filter],
      queryFn: ({ signal }) => listSessions(filter, signal),
      refetchInterval: LIST_MS,
    }),
  search: (q: string) =>
    queryOptions({
      queryKey: ['conversation-search', q],
      queryFn: ({ signal }) =>
        ask('GET /api/conversations/search', {
          query: { q, limit: MOST_FOUND },
          signal,
        }),
      enabled: q.trim() !== '',
    }),
  view: (id: string) =>
    queryOptions({
      queryKey: ['conversation', id, 'view'],
      queryFn: ({ signal }) => ask('GET /api/conversations/:id', { params: { id }, signal }),
    }),
  facts: (id: string) =>
    queryOptions({
      queryKey: ['conversation-facts', id],
      queryFn: ({ client, queryKey, signal }) =>
        readFacts(id, client.getQueryData<Facts>(queryKey) ?? [], signal),
      refetchInterval: ({ state }) => every(state.data),
    }),
  messages: (id: string) =>
    queryOptions({
      queryKey: ['conversation', id, 'messages'],
      queryFn: ({ signal }) => ask('GET /api/conversations/:id/messages', { params: { id }, signal }),
    }),
  message: (id: string, message: string) =>
    queryOptions({
      queryKey: ['conversation-message', id, message],
      queryFn: ({ signal }) =>
        ask('GET /api/conversations/:id/messages/:message', { params: { id, message }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Who waits for an agreement writes no fact, so that one is asked for by itself. */
  approvals: (id: string, running: boolean) =>
    queryOptions({
      queryKey: ['conversation', id, 'approvals'],
      queryFn: ({ signal }) => ask('GET /api/conversations/:id/approvals', { params: { id }, signal }),
      refetchInterval: running ? RUNNING_MS : LIST_MS,
    }),
};

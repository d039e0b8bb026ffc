import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { api, type IncidentFilter } from './api.ts';
import { Problem } from './problem.ts';

const TRIES = 2;
/** How soon to ask again whether somebody is signed in, when the server was away. */
const AWAY_MS = 3_000;
/** How often to ask again for what no event tells. */
const TELEMETRY_MS = 5_000;

/** Old data stays on the page while the server is away; an answer that is a refusal is not asked for again. */
export function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // A session may end while its page is open: then somebody has to sign in again.
      onError: (thrown, { queryKey }) => {
        if (thrown instanceof Problem && thrown.status === 401 && queryKey[0] !== 'session')
          void client.invalidateQueries({ queryKey: ['session'] });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, thrown) => thrown instanceof Problem && thrown.passing && count < TRIES,
        retryDelay: (count) => Math.min(4_000, 500 * 2 ** count),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** What the pages ask for. The first word of a key says what it is about: events make it stale by that word. */
export const queries = {
  session: () =>
    queryOptions({
      queryKey: ['session'],
      queryFn: ({ signal }) => api.session(signal),
      staleTime: 60_000,
      refetchInterval: ({ state: { data, error } }) =>
        !data && error instanceof Problem && error.passing ? AWAY_MS : false,
    }),
  incidents: (filter: IncidentFilter) =>
    queryOptions({
      queryKey: ['incidents', filter],
      queryFn: ({ signal }) => api.incidents(filter, signal),
    }),
  incident: (id: string) =>
    queryOptions({ queryKey: ['incident', id], queryFn: ({ signal }) => api.incident(id, signal) }),
  /** A round of evidence never changes once it is written. */
  evidence: (id: string, round: number, evidence: string) =>
    queryOptions({
      queryKey: ['evidence', id, round, evidence],
      queryFn: ({ signal }) => api.evidence(id, evidence, signal),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  approvals: () =>
    queryOptions({ queryKey: ['approvals'], queryFn: ({ signal }) => api.approvals(true, signal) }),
  monitoring: (minutes: number) =>
    queryOptions({
      queryKey: ['monitoring', minutes],
      queryFn: ({ signal }) => api.monitoring(minutes, signal),
      refetchInterval: TELEMETRY_MS,
    }),
  logs: (asked: Parameters<typeof api.logs>[0]) =>
    queryOptions({
      queryKey: ['logs', asked],
      queryFn: ({ signal }) => api.logs(asked, signal),
      refetchInterval: TELEMETRY_MS,
    }),
  traces: (asked: Parameters<typeof api.traces>[0]) =>
    queryOptions({
      queryKey: ['traces', asked],
      queryFn: ({ signal }) => api.traces(asked, signal),
      refetchInterval: TELEMETRY_MS,
    }),
  settings: () => queryOptions({ queryKey: ['settings'], queryFn: ({ signal }) => api.settings(signal) }),
  demo: () =>
    queryOptions({
      queryKey: ['demo'],
      queryFn: ({ signal }) => api.demo(signal),
      refetchInterval: ({ state }) => (state.data?.running ? TELEMETRY_MS : false),
    }),
};

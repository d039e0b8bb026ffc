import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { IncidentFact } from '#spec/data';
import { listenToFacts, type LiveState } from './live-events.ts';

type Listener = (fact: IncidentFact) => void;

interface Live {
  readonly state: LiveState;
  subscribe(listener: Listener): () => void;
}

const Context = createContext<Live>({ state: 'connecting', subscribe: () => () => undefined });

/** Many facts may come at once: what they make stale is asked for once in this time. */
const GATHER_MS = 250;

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const listeners = useRef(new Set<Listener>());
  useEffect(() => {
    const gather = gatherStale(client);
    const stop = listenToFacts({
      onFact: (fact) => {
        gather.add(fact.stream);
        for (const listener of listeners.current) listener(fact);
      },
      onState: (next, again) => {
        setState(next);
        if (again) void client.invalidateQueries();
      },
      onRefused: () => void client.invalidateQueries({ queryKey: ['session'] }),
    });
    return () => {
      stop();
      gather.stop();
    };
  }, [client]);
  const live = useMemo(
    (): Live => ({
      state,
      subscribe(listener) {
        listeners.current.add(listener);
        return () => void listeners.current.delete(listener);
      },
    }),
    [state],
  );
  return <Context value={live}>{children}</Context>;
}

/** Marks what facts are about as stale, so that what is shown is asked for again. */
function gatherStale(client: QueryClient) {
  const incidents = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const id of incidents) void client.invalidateQueries({ queryKey: ['incident', id] });
    incidents.clear();
    for (const key of ['incidents', 'approvals']) void client.invalidateQueries({ queryKey: [key] });
  };
  return {
    add(incident: string) {
      incidents.add(incident);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

export const useLiveState = (): LiveState => useContext(Context).state;

/** Calls `listener` for every fact that comes while the component is on the page. */
export function useFacts(listener: Listener): void {
  const { subscribe } = useContext(Context);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => subscribe((fact) => latest.current(fact)), [subscribe]);
}

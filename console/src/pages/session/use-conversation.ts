import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { arrangeTurns, isRunning } from '../../domains/sessions/arrange-turns.ts';
import { sessionQueries } from '../../domains/sessions/sessions-api.ts';
import { useNow } from '../../ui/time.tsx';

const STEADY_MS = 60_000;
const RUNNING_MS = 500;

/** A conversation and everything that is known of its turns, as it goes on. */
export function useConversation(id: string) {
  const client = useQueryClient();
  const view = useQuery(sessionQueries.view(id));
  // What is not there, or not for whoever looks, is asked for once.
  const enabled = view.data !== undefined;
  const { data: facts } = useQuery({ ...sessionQueries.facts(id), enabled });
  const running = facts !== undefined && isRunning(facts, Date.now());
  const { data: approvals } = useQuery({ ...sessionQueries.approvals(id, running), enabled });
  const messages = useQuery({ ...sessionQueries.messages(id), enabled });
  const now = useNow(running ? RUNNING_MS : STEADY_MS);
  const last = facts?.at(-1)?.seq ?? 0;
  // A new fact is what tells that totals and messages have changed.
  useEffect(() => {
    if (last > 0) void client.invalidateQueries({ queryKey: ['conversation', id] });
  }, [client, id, last]);
  const turns = useMemo(
    () => (facts ? arrangeTurns(facts, approvals ?? [], now) : undefined),
    [facts, approvals, now],
  );
  return { view, messages, turns, running };
}

import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api/ask.ts';

const EVERY_MS = 3_000;

/** `may`: only those who may agree are told. */
export const waitingCalls = (may: boolean) =>
  queryOptions({
    queryKey: ['approvals', 'calls'],
    queryFn: ({ signal }) => ask('GET /api/requests', { signal }),
    refetchInterval: EVERY_MS,
    enabled: may,
  });

export const decideCall = (id: string, word: 'approve' | 'reject', confirmation?: string) =>
  ask(`POST /api/requests/:id/${word}`, { params: { id }, body: { confirmation } });

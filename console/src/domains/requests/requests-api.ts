import { queryOptions } from '@tanstack/react-query';
import type { Approval } from '#spec/data';
import { pathOf, request } from '../api/request.ts';

/** A call of a tool that waits for agreement. */
export interface AskedCall
  extends Pick<Approval, 'id' | 'reasons' | 'separate' | 'confirm' | 'state' | 'createdAt' | 'expiresAt'> {
  readonly shown: string;
  readonly tool: string;
  readonly asks: {
    readonly caller: string;
    readonly platform: string;
    readonly user: string;
    readonly session: string;
  };
}

const EVERY_MS = 3_000;

/** `may`: only those who may agree are told. */
export const waitingCalls = (may: boolean) =>
  queryOptions({
    queryKey: ['approvals', 'calls'],
    queryFn: ({ signal }) => request<readonly AskedCall[]>('/api/requests', { signal }),
    refetchInterval: EVERY_MS,
    enabled: may,
  });

export const decideCall = (id: string, word: 'approve' | 'reject', confirmation?: string) =>
  request<AskedCall>(`${pathOf`/api/requests/${id}`}/${word}`, {
    method: 'POST',
    body: confirmation === undefined ? {} : { confirmation },
  });

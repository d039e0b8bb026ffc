import type { SpanRecord } from '#spec/data';
import { complains } from '../sayings.ts';

/** A server that refuses for its limits has done nothing wrong by the conventions of tracing; its callers fail all the same. */
const REFUSED = 429;

/** Answers that are the answering side's doing; other 4xx are often a caller's that asks for the wrong thing. */
export const isCallees = (status: number): boolean => status >= 500 || status === REFUSED;

/** Whether a call failed for the one who made it. */
export function spanFailed({ error, status }: Pick<SpanRecord, 'error' | 'status'>): boolean {
  if (error !== undefined) return error || Number(status) === REFUSED;
  return typeof status === 'number' ? isCallees(status) : complains(status ?? '');
}

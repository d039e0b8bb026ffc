import type { SpanRecord } from '#spec/data';

/** A server that refuses for its limits has done nothing wrong by the conventions of tracing; its callers fail all the same. */
const REFUSED = 429;

/** Whether a call failed for the one who made it. */
export function spanFailed({ error, status }: Pick<SpanRecord, 'error' | 'status'>): boolean {
  if (error !== undefined) return error || Number(status) === REFUSED;
  return typeof status === 'number' ? status >= 500 || status === REFUSED : /error|fail/i.test(status ?? '');
}

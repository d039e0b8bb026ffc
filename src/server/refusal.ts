/** Why a request is not served. It becomes a problem document (RFC 9457). */
export interface Refusal {
  readonly status: number;
  /** A code of `AppError`, or `http.<reason>` for what only HTTP knows. */
  readonly code: string;
  readonly detail: string;
  /** The same in Chinese, where a person in trouble reads it. */
  readonly detailZh?: string;
  readonly hint?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whole seconds, at least one: a client that comes back too early is refused again. */
export const retryAfter = (ms: number): Record<string, string> => ({
  'retry-after': String(Math.max(1, Math.ceil(ms / 1000))),
});

/** A refusal from within a route, with what only HTTP knows. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

import type { ErrorCode, ErrorRecord } from '#spec/data';

/** The one error that is thrown on purpose. It carries the same record that events and wires carry. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly record: ErrorRecord;

  constructor(record: ErrorRecord, options?: { cause?: unknown }) {
    super(record.message, options);
    this.record = record;
  }
}

/** A mistake that trying again cannot mend. */
export function fail(code: ErrorCode, message: string, hint?: string, cause?: unknown): AppError {
  return new AppError({ code, message, retry: { again: false }, ...(hint ? { hint } : {}) }, { cause });
}

/** Whatever was thrown, as a record. Anything that is not an `AppError` is a defect of ours. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  if (thrown instanceof AppError) return thrown.record;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, retry: { again: false } };
}

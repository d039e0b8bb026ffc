import type { ErrorCode, ErrorRecord } from '#spec/data';
import { storeFailure } from './store-failure.ts';

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

/**
 * Whatever was thrown, as a record. What is neither an `AppError` nor a failure of the place where things are kept is a
 * defect of ours.
 */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  if (thrown instanceof AppError) return thrown.record;
  const failure = storeFailure(thrown);
  if (failure) return failure;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, retry: { again: false } };
}

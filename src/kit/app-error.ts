import type { ErrorCode, ErrorRecord, Text } from '#spec/data';
import { storeFailure } from './store-failure.ts';
import { asText, say } from './text.ts';

/** The one error that is thrown on purpose. It carries the same record that events and wires carry. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly record: ErrorRecord;

  constructor(record: ErrorRecord, options?: { cause?: unknown }) {
    super(record.message, options);
    this.record = record;
  }
}

/** A mistake that trying again cannot mend. People read it in their own language where it is given in every one. */
export function fail(
  code: ErrorCode,
  message: Text | string,
  hint?: Text | string,
  cause?: unknown,
): AppError {
  return new AppError({ code, ...inWords(message, hint), retry: { again: false } }, { cause });
}

/** The words of an error record: English, and every language where they are texts. */
export function inWords(
  message: Text | string,
  hint?: Text | string,
): Pick<ErrorRecord, 'message' | 'hint' | 'said'> {
  const said = {
    ...(typeof message === 'string' ? {} : { message }),
    ...(hint === undefined || typeof hint === 'string' ? {} : { hint }),
  };
  return {
    message: say(message, 'en'),
    ...(hint ? { hint: say(hint, 'en') } : {}),
    ...(Object.keys(said).length ? { said } : {}),
  };
}

/** What an error says to people. One that speaks English alone says that in every language. */
export const messageOf = ({ message, said }: Pick<ErrorRecord, 'message' | 'said'>): Text =>
  said?.message ?? asText(message);
export const hintOf = ({ hint, said }: Pick<ErrorRecord, 'hint' | 'said'>): Text | undefined =>
  said?.hint ?? (hint === undefined ? undefined : asText(hint));

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

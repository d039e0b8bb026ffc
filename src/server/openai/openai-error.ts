import { AppError, toErrorRecord } from '#kit/app-error';
import { redact } from '#kit/redact';
import { isStoreFailure } from '#kit/store-failure';
import type { ErrorCode, ErrorRecord } from '#spec/data';
import type { Route, RouteAnswer } from '#spec/ports';
import { refusalOf } from '../problem.ts';
import { retryAfter } from '../refusal.ts';

/** An error as OpenAI's clients read it. */
interface OpenaiError {
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
}

interface Told {
  readonly status: number;
  readonly type: string;
  readonly code?: string;
}

const OF_SENDER = 'invalid_request_error';
const OURS = 'server_error';

/** What went wrong in the words of that API. A key of ours that a vendor refuses is no fault of the sender. */
const TOLD: Partial<Record<ErrorCode, Told>> = {
  'input.invalid': { status: 400, type: OF_SENDER },
  'input.unauthorized': { status: 401, type: OF_SENDER, code: 'invalid_api_key' },
  'input.forbidden': { status: 403, type: 'permission_error' },
  'tool.refused': { status: 403, type: 'permission_error' },
  'input.not_found': { status: 404, type: OF_SENDER, code: 'not_found' },
  'input.conflict': { status: 409, type: OF_SENDER, code: 'conflict' },
  'input.too_large': { status: 413, type: OF_SENDER },
  'model.not_found': { status: 404, type: OF_SENDER, code: 'model_not_found' },
  'model.context_overflow': { status: 400, type: OF_SENDER, code: 'context_length_exceeded' },
  'model.payload_too_large': { status: 413, type: OF_SENDER },
  'model.content_filter': { status: 400, type: OF_SENDER, code: 'content_filter' },
  'model.rate_limited': { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  'model.overloaded': { status: 503, type: OURS, code: 'overloaded' },
  'model.unconfigured': { status: 503, type: OURS, code: 'model_unconfigured' },
  'store.busy': { status: 503, type: OURS },
};
const BUSY_MS = 1_000;

const toldOf = ({ code }: ErrorRecord): Told =>
  TOLD[code] ??
  (isStoreFailure(code) ? { status: 503, type: OURS, code: 'unavailable' } : undefined) ??
  (code.startsWith('model.') ? { status: 502, type: OURS, code } : { status: 500, type: OURS });

/** A mistake in the request, and in which part of it. */
export const badParam = (param: string, message: string, code = 'invalid_value'): AppError =>
  new AppError({ code: 'input.invalid', message, retry: { again: false }, details: { param, code } });

export const notKept = (): AppError =>
  badParam('previous_response_id', 'This response is not kept.', 'previous_response_not_found');

/** The turn was stopped from this side, as when the server shuts down. */
export const interrupted = (): AppError =>
  new AppError({ code: 'store.busy', message: 'The answer was interrupted.', retry: { again: true } });

export function openaiError(record: ErrorRecord): OpenaiError {
  const { status, type, code } = toldOf(record);
  const { param, code: exact } = record.details ?? {};
  return {
    message: isOurs(record, status) ? refusalOf(new AppError(record)).detail : redact(record.message),
    type,
    code: typeof exact === 'string' ? exact : (code ?? null),
    param: typeof param === 'string' ? param : null,
  };
}

/** Nothing that whoever asks could mend: the log has the rest. */
const isOurs = ({ code }: ErrorRecord, status: number): boolean => status === 500 || isStoreFailure(code);

/** What the server refused before it came to us: a token, a rate, a size. */
export const wordRefusal: NonNullable<Route['refusal']> = ({ status, code, detail }) => ({
  error: {
    message: detail,
    type: TYPES[status] ?? (status >= 500 ? OURS : OF_SENDER),
    code: status === 401 ? 'invalid_api_key' : code,
    param: null,
  } satisfies OpenaiError,
});

const TYPES: Readonly<Record<number, string>> = { 403: 'permission_error', 429: 'rate_limit_error' };

/** Answers with what was thrown. What is ours to mend is thrown on: the server logs it, and tells nothing of it. */
export function errorAnswer(thrown: unknown): RouteAnswer {
  if (!(thrown instanceof AppError) || isStoreFailure(thrown.record.code)) throw thrown;
  const record = toErrorRecord(thrown);
  const { status } = toldOf(record);
  const again = status === 429 || status === 503 || record.retry.afterMs;
  return {
    status,
    ...(again ? { headers: retryAfter(record.retry.afterMs ?? BUSY_MS) } : {}),
    body: { error: openaiError(record) },
  };
}

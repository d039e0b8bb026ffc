import { AppError } from '#kit/app-error';
import { redact } from '#kit/redact';

const MESSAGE_CHARS = 300;

export interface CloudFailure {
  /** `Daytona`, `Modal`. */
  readonly service: string;
  /** The variables that hold its keys; their names may be shown, their values not. */
  readonly keys: readonly string[];
  readonly secrets: readonly string[];
  readonly doing: string;
  /** The status of HTTP, or the nearest to it. Absent when no answer came. */
  readonly status?: number;
  readonly message?: string;
  readonly afterMs?: number;
  readonly cause?: unknown;
}

/** What a cloud refused, as an error of ours. The status stands in its details. */
export function cloudFailure(failure: CloudFailure): AppError {
  const { service, keys, secrets, doing, status, afterMs, cause } = failure;
  const said = redact(failure.message ?? '', secrets)
    .slice(0, MESSAGE_CHARS)
    .trim();
  const what = status === undefined ? 'did not answer' : `answered ${status}`;
  const hint = hintFor(status, service, keys);
  return new AppError(
    {
      code: 'tool.failed',
      message: `${service} ${what} when asked to ${doing}${said ? `: ${said}` : '.'}`,
      retry: {
        again: status === undefined || status === 429 || status >= 500,
        ...(afterMs === undefined ? {} : { afterMs }),
      },
      ...(hint ? { hint } : {}),
      details: { service, ...(status === undefined ? {} : { status }) },
    },
    // The cause of a failed request may quote its headers; only its own message is kept.
    cause instanceof Error ? { cause: redact(cause.message, secrets) } : {},
  );
}

function hintFor(status: number | undefined, service: string, keys: readonly string[]): string | undefined {
  if (status === 401 || status === 403) return `Check ${keys.join(' and ')}.`;
  if (status === 429) return `${service} limits how often it may be asked. Try again later.`;
  return undefined;
}

/** The status that a cloud refused with, if it is one of these errors. */
export function statusOf(thrown: unknown): number | undefined {
  const status = thrown instanceof AppError ? thrown.record.details?.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** Whether a refusal means that the thing asked for is not there any more. */
export const isGone = (thrown: unknown): boolean => [404, 410].includes(statusOf(thrown) ?? 0);

import type { LoopbackAnswer } from '#testkit/web';

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
};

/** The `Status` object with which the API says no. */
export const statusOf = (
  code: number,
  message: string,
  details?: Readonly<Record<string, unknown>>,
  reason = REASONS[code],
): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  ...(details ? { details } : {}),
  code,
});

/** Thrown inside the server and turned into its answer. */
export class Refusal extends Error {
  readonly code: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly reason: string | undefined;

  constructor(code: number, message: string, details?: Readonly<Record<string, unknown>>, reason?: string) {
    super(message);
    this.code = code;
    this.details = details;
    this.reason = reason;
  }

  answer(): LoopbackAnswer {
    return { status: this.code, body: statusOf(this.code, this.message, this.details, this.reason) };
  }
}

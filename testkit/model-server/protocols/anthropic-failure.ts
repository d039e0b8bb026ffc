import type { Failure, FailureKind, HttpFailure } from '../wire-protocol.ts';

type Wording = (failure: Failure) => [status: number, type: string, message: string];

function serverError({ status }: Failure): ReturnType<Wording> {
  if (status === 529) return [529, 'overloaded_error', 'Overloaded'];
  if (status === 504) return [504, 'timeout_error', 'Request timed out'];
  return [500, 'api_error', 'Internal server error'];
}

const WORDINGS: Record<FailureKind, Wording> = {
  rate_limit: () => [
    429,
    'rate_limit_error',
    "This request would exceed your organization's rate limit of 50 requests per minute.",
  ],
  server_error: serverError,
  overloaded: () => [529, 'overloaded_error', 'Overloaded'],
  auth: () => [401, 'authentication_error', 'invalid x-api-key'],
  billing: () => [
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  ],
  forbidden: () => [
    403,
    'permission_error',
    'Your API key does not have permission to use the specified resource.',
  ],
  not_found: ({ model }) => [404, 'not_found_error', `model: ${model}`],
  context_overflow: ({ tokens, window }) => [
    400,
    'invalid_request_error',
    `prompt is too long: ${tokens} tokens > ${window} maximum`,
  ],
  too_large: () => [413, 'request_too_large', 'Request exceeds the maximum size'],
  content_filter: () => [400, 'invalid_request_error', 'Output blocked by content filtering policy'],
  invalid: () => [400, 'invalid_request_error', 'Invalid request'],
};

export function anthropicError(failure: Failure): {
  status: number;
  error: { type: string; message: string };
} {
  const [status, type, message] = WORDINGS[failure.kind](failure);
  return { status: failure.status ?? status, error: { type, message: failure.message ?? message } };
}

export function anthropicFailure(failure: Failure): HttpFailure {
  const { status, error } = anthropicError(failure);
  return { status, body: { type: 'error', error, request_id: failure.requestId } };
}

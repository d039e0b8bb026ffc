import type { Failure, FailureKind, HttpFailure } from '../wire-protocol.ts';

export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

type Wording = (failure: Failure) => [status: number, message: string, type: string, code: string | null];

const WORDINGS: Record<FailureKind, Wording> = {
  rate_limit: ({ model }) => [
    429,
    `Rate limit reached for ${model} on requests per min (RPM): Limit 3, Used 3, Requested 1.`,
    'requests',
    'rate_limit_exceeded',
  ],
  server_error: () => [
    500,
    'The server had an error while processing your request. Sorry about that!',
    'server_error',
    null,
  ],
  overloaded: () => [
    503,
    'Our servers are currently overloaded. Please try again later.',
    'service_unavailable_error',
    'server_is_overloaded',
  ],
  auth: () => [401, 'Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'],
  billing: ({ status }) =>
    status === 429
      ? [
          429,
          'You exceeded your current quota, please check your plan and billing details.',
          'insufficient_quota',
          'insufficient_quota',
        ]
      : [402, 'Insufficient Balance', 'unknown_error', 'invalid_request_error'],
  forbidden: () => [403, 'You are not allowed to sample from this model', 'invalid_request_error', null],
  not_found: ({ model }) => [
    404,
    `The model \`${model}\` does not exist or you do not have access to it.`,
    'invalid_request_error',
    'model_not_found',
  ],
  context_overflow: ({ window, tokens }) => [
    400,
    `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    'invalid_request_error',
    'context_length_exceeded',
  ],
  too_large: () => [413, 'Request body is too large.', 'invalid_request_error', 'request_too_large'],
  content_filter: () => [
    400,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
    'invalid_request_error',
    'content_filter',
  ],
  invalid: () => [400, 'Invalid request.', 'invalid_request_error', null],
};

/** The error object and status that OpenAI's two protocols share. */
export function openAiError(failure: Failure): { status: number; error: OpenAiError } {
  const [status, message, type, code] = WORDINGS[failure.kind](failure);
  return {
    status: failure.status ?? status,
    error: {
      message: failure.message ?? message,
      type,
      param: failure.kind === 'context_overflow' ? 'messages' : null,
      code: failure.code ?? code,
    },
  };
}

export function openAiFailure(failure: Failure): HttpFailure {
  const { status, error } = openAiError(failure);
  return { status, body: { error } };
}

export const openAiReset = (seconds: number): Record<string, string> => ({
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': `${seconds}s`,
});

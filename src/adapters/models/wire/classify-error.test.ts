import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '#spec/data';
import { codeOf, modelError } from './classify-error.ts';

/** What vendors say, and what it means. The statuses are theirs, however loosely used. */
const SAID: readonly (readonly [ErrorCode, number | undefined, string, string?])[] = [
  [
    'model.context_overflow',
    400,
    "This model's maximum context length is 128000 tokens.",
    'context_length_exceeded',
  ],
  [
    'model.context_overflow',
    400,
    'prompt is too long: 210000 tokens > 200000 maximum',
    'invalid_request_error',
  ],
  ['model.context_overflow', 400, 'Input is too long for requested model.', 'ValidationException'],
  ['model.context_overflow', 400, 'the request exceeds the available context size (n_ctx = 4096)'],
  ['model.context_overflow', 429, 'Request too many tokens; please reduce the length of the messages'],
  ['model.thinking_signature', 400, 'messages.1.content.0: Invalid `signature` in `thinking` block'],
  [
    'model.thinking_signature',
    400,
    'The encrypted content could not be verified',
    'invalid_encrypted_content',
  ],
  [
    'model.content_filter',
    400,
    "The response was filtered due to Azure's content management policy",
    'content_filter',
  ],
  ['model.content_filter', 400, 'Your request was rejected by our safety system'],
  ['model.billing', 429, 'You exceeded your current quota, please check your plan', 'insufficient_quota'],
  [
    'model.billing',
    400,
    'Your credit balance is too low to access the Anthropic API',
    'invalid_request_error',
  ],
  ['model.billing', 402, 'Insufficient Balance'],
  ['model.overloaded', 529, 'Overloaded', 'overloaded_error'],
  ['model.overloaded', undefined, 'Overloaded', 'overloaded_error'],
  ['model.overloaded', 500, 'The server is at capacity'],
  ['model.overloaded', 503, 'Service Unavailable'],
  ['model.rate_limited', 429, 'Rate limit reached for gpt-5', 'rate_limit_exceeded'],
  ['model.rate_limited', 400, 'Too many requests, please wait before trying again.', 'ThrottlingException'],
  ['model.rate_limited', 503, 'Request was throttled'],
  [
    'model.not_found',
    404,
    'The model `gpt-9` does not exist or you do not have access to it.',
    'model_not_found',
  ],
  ['model.not_found', 400, 'The provided model identifier is invalid.', 'ValidationException'],
  ['model.not_found', 400, "model 'qwen9' not found, try pulling it first"],
  ['model.auth', 400, 'API key not valid: Invalid API key'],
  ['model.auth', 401, 'invalid x-api-key', 'authentication_error'],
  ['model.auth', 403, 'The security token included in the request is expired', 'ExpiredTokenException'],
  ['model.permission', 403, 'Your organization may not use this feature', 'permission_error'],
  ['model.payload_too_large', 413, 'Request exceeds the maximum size', 'request_too_large'],
  ['model.payload_too_large', 400, 'request body too large'],
  ['model.format', 400, 'tools.0.name: string does not match pattern', 'invalid_request_error'],
  ['model.format', 422, 'extra fields not permitted'],
  ['model.format', 418, 'I am a teapot'],
  ['model.format', undefined, 'Malformed input', 'ValidationException'],
  ['model.timeout', 408, 'Request Timeout'],
  ['model.timeout', 504, 'upstream took too long'],
  ['model.server', 500, 'Internal server error', 'api_error'],
  ['model.server', 502, 'Bad gateway'],
  ['model.server', 599, 'strange'],
  ['model.server', undefined, 'Something went wrong', 'internalServerException'],
];

describe('codeOf', () => {
  const cases = SAID.map(([code, status, message, vendor]) => ({ code, status, message, vendor }));
  it.each(cases)('$code: $status $message', ({ code, status, message, vendor }) => {
    const error = { message, ...(vendor ? { code: vendor } : {}), ...(status ? { status } : {}) };
    expect(codeOf(error)).toBe(code);
  });

  it('takes a fault of the server for one, whatever its page says', () => {
    expect(codeOf({ status: 500, message: 'invalid api key cache: maximum context of worker lost' })).toBe(
      'model.server',
    );
    expect(codeOf({ status: 503, message: '<html>billing page</html>' })).toBe('model.overloaded');
  });
});

describe('modelError', () => {
  const source = { provider: 'acme', model: 'acme-1' };

  it.each([
    'model.rate_limited',
    'model.overloaded',
    'model.server',
    'model.timeout',
    'model.network',
    'model.cut',
  ] as const)('%s may pass', (code) => {
    expect(modelError(code, 'm', source).retry).toEqual({ again: true });
    expect(modelError(code, 'm', source, 500).retry).toEqual({ again: true, afterMs: 500 });
    expect(modelError(code, 'm', source, 0).retry).toEqual({ again: true, afterMs: 0 });
  });

  it.each([
    'model.auth',
    'model.billing',
    'model.format',
    'model.context_overflow',
    'model.not_found',
  ] as const)('%s does not pass, however long one waits', (code) => {
    expect(modelError(code, 'm', source, 500)).toEqual({
      code,
      message: 'm',
      source,
      retry: { again: false },
    });
  });
});

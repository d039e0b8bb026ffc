import type { Frame } from '../framing.ts';
import type { Failure, FailureKind, HttpFailure } from '../wire-protocol.ts';

type Wording = (failure: Failure) => [status: number, type: string, message: string];

const WORDINGS: Record<FailureKind, Wording> = {
  rate_limit: () => [429, 'ThrottlingException', 'Too many requests, please wait before trying again.'],
  server_error: ({ status }) =>
    status === 503
      ? [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.']
      : [
          500,
          'InternalServerException',
          'The system encountered an unexpected error during processing. Try your request again.',
        ],
  overloaded: () => [
    503,
    'ServiceUnavailableException',
    'Too many connections, please wait before trying again.',
  ],
  auth: () => [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'],
  billing: () => [
    403,
    'AccessDeniedException',
    'INVALID_PAYMENT_INSTRUMENT: A valid payment instrument must be provided. Your AWS Marketplace subscription for this model cannot be completed at this time.',
  ],
  forbidden: () => [
    403,
    'AccessDeniedException',
    "You don't have access to the model with the specified model ID.",
  ],
  not_found: () => [
    404,
    'ResourceNotFoundException',
    'Could not resolve the foundation model from the provided model identifier.',
  ],
  context_overflow: () => [400, 'ValidationException', 'Input is too long for requested model.'],
  too_large: () => [413, 'RequestEntityTooLargeException', 'Request Entity Too Large'],
  content_filter: () => [400, 'ValidationException', 'This request has been blocked by our content filters.'],
  invalid: () => [
    400,
    'ValidationException',
    'Malformed input request, please reformat your input and try again.',
  ],
};

export function bedrockFailure(failure: Failure): HttpFailure {
  const [status, type, message] = WORDINGS[failure.kind](failure);
  return {
    status: failure.status ?? status,
    /** The part after the colon is AWS's own; readers strip it. */
    headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
    body: { message: failure.message ?? message },
  };
}

/** In a stream an error is a frame of its own kind, named like the exception with a small first letter. */
export function bedrockException(failure: Failure): Frame {
  const [, type, message] = WORDINGS[failure.kind](failure);
  return {
    event: type.charAt(0).toLowerCase() + type.slice(1),
    data: { message: failure.message ?? message },
    exception: true,
    final: true,
  };
}

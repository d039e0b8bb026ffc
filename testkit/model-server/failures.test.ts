import { PROTOCOL_IDS, type ProtocolId } from '#spec/data';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawAnswer } from '#support/testkit/raw-call';
import { type ModelServer, startModelServer } from './model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const faulted = (protocol: ProtocolId, fault: string) =>
  rawAnswer(server.url, protocol, { headers: { 'x-testkit-fault': fault } });

const REQUEST_IDS: Record<ProtocolId, string> = {
  chat_completions: 'x-request-id',
  codex_responses: 'x-request-id',
  anthropic_messages: 'request-id',
  bedrock_converse: 'x-amzn-requestid',
};

type Expected = readonly [status: number, words: RegExp];
const FAILURES: readonly (readonly [fault: string, Record<ProtocolId, Expected>])[] = [
  [
    'rate_limit',
    {
      chat_completions: [429, /rate_limit_exceeded/],
      codex_responses: [429, /rate_limit_exceeded/],
      anthropic_messages: [429, /rate_limit_error/],
      bedrock_converse: [429, /Too many requests/],
    },
  ],
  [
    'server_error;status=503',
    {
      chat_completions: [503, /server_error/],
      codex_responses: [503, /server_error/],
      anthropic_messages: [503, /api_error/],
      bedrock_converse: [503, /unable to process/],
    },
  ],
  [
    'server_error;status=529',
    {
      chat_completions: [529, /server_error/],
      codex_responses: [529, /server_error/],
      anthropic_messages: [529, /overloaded_error/],
      bedrock_converse: [529, /unexpected error/],
    },
  ],
  [
    'overloaded',
    {
      chat_completions: [503, /server_is_overloaded/],
      codex_responses: [503, /server_is_overloaded/],
      anthropic_messages: [529, /overloaded_error/],
      bedrock_converse: [503, /Too many connections/],
    },
  ],
  [
    'auth',
    {
      chat_completions: [401, /invalid_api_key/],
      codex_responses: [401, /invalid_api_key/],
      anthropic_messages: [401, /authentication_error/],
      bedrock_converse: [403, /security token/],
    },
  ],
  [
    'billing',
    {
      chat_completions: [402, /Insufficient Balance/],
      codex_responses: [402, /Insufficient Balance/],
      anthropic_messages: [400, /credit balance is too low/],
      bedrock_converse: [403, /INVALID_PAYMENT_INSTRUMENT/],
    },
  ],
  [
    'forbidden',
    {
      chat_completions: [403, /not allowed/],
      codex_responses: [403, /not allowed/],
      anthropic_messages: [403, /permission_error/],
      bedrock_converse: [403, /don't have access/],
    },
  ],
  [
    'not_found',
    {
      chat_completions: [404, /model_not_found/],
      codex_responses: [404, /model_not_found/],
      anthropic_messages: [404, /not_found_error.*model: m/],
      bedrock_converse: [404, /Could not resolve the foundation model/],
    },
  ],
  [
    'context_overflow',
    {
      chat_completions: [400, /context_length_exceeded/],
      codex_responses: [400, /context_length_exceeded/],
      anthropic_messages: [400, /prompt is too long: 200001 tokens > 200000 maximum/],
      bedrock_converse: [400, /Input is too long for requested model/],
    },
  ],
  [
    'too_large',
    {
      chat_completions: [413, /too large/],
      codex_responses: [413, /too large/],
      anthropic_messages: [413, /request_too_large/],
      bedrock_converse: [413, /Too Large/],
    },
  ],
  [
    'content_filter',
    {
      chat_completions: [400, /content_filter/],
      codex_responses: [400, /content_filter/],
      anthropic_messages: [400, /content filtering policy/],
      bedrock_converse: [400, /content filters/],
    },
  ],
];

describe.each(PROTOCOL_IDS)('failures over %s', (protocol) => {
  it.each(FAILURES)('%s is an HTTP failure in the words of the vendor', async (fault, expected) => {
    const [status, words] = expected[protocol];
    const answer = await faulted(protocol, fault);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(words);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers[REQUEST_IDS[protocol]]).toMatch(/^[\w-]{20,}$/);
    expect(answer.headers['x-amzn-errortype'] !== undefined).toBe(protocol === 'bedrock_converse');
    const body = JSON.parse(answer.text);
    expect((protocol === 'bedrock_converse' ? body : body.error).message).toMatch(/\w/);
  });

  it('rate_limit_bare gives no hint at all', async () => {
    const { status, headers, text } = await faulted(protocol, 'rate_limit_bare');
    expect(status).toBe(429);
    expect(Object.keys(headers).filter((name) => /retry|ratelimit/.test(name))).toEqual([]);
    expect(text).not.toMatch(/again in/);
  });
});

describe('rate limit hints', () => {
  it.each([
    ['chat_completions', 'rate_limit', 'retry-after', /^1$/],
    ['chat_completions', 'rate_limit;retryAfter=7', 'retry-after', /^7$/],
    ['anthropic_messages', 'rate_limit;retryAfter=0.25;hint=milliseconds', 'retry-after-ms', /^250$/],
    ['codex_responses', 'rate_limit;retryAfter=60;hint=date', 'retry-after', /GMT$/],
    ['chat_completions', 'rate_limit;retryAfter=6;hint=reset', 'x-ratelimit-reset-requests', /^6s$/],
    ['anthropic_messages', 'rate_limit;hint=reset', 'anthropic-ratelimit-requests-reset', /^\d{4}-.*Z$/],
  ] as const)('%s: %s', async (protocol, fault, header, value) => {
    const { headers } = await faulted(protocol, fault);
    expect(headers[header]).toMatch(value);
    const retries = Object.keys(headers).filter((name) => name.startsWith('retry-after'));
    expect(retries).toEqual(header.startsWith('retry') ? [header] : []);
  });

  it('can stand in the message alone', async () => {
    const { headers, text } = await faulted('codex_responses', 'rate_limit;retryAfter=20;hint=message');
    expect(text).toContain('Please try again in 20s');
    expect(headers['retry-after']).toBeUndefined();
  });

  it('billing with 429 is the exhausted quota of OpenAI', async () => {
    const { status, text } = await faulted('chat_completions', 'billing;status=429');
    expect(status).toBe(429);
    expect(text).toContain('insufficient_quota');
  });
});

import { describe, expect, it } from 'vitest';
import { PROTOCOL_IDS, type ProtocolId } from '#spec/data';
import { baseUrlOf, detectProtocol } from './detect-protocol.ts';

describe('detectProtocol', () => {
  it.each([
    ['https://x.example/v1/chat/completions', 'chat_completions'],
    ['https://x.example/v1/chat/completions/', 'chat_completions'],
    ['https://x.example/v1/responses', 'codex_responses'],
    ['https://x.openai.azure.com/openai/v1/responses?api-version=preview', 'codex_responses'],
    ['https://x.example/v1/messages', 'anthropic_messages'],
    ['https://api.anthropic.com', 'anthropic_messages'],
    ['https://api.z.ai/api/anthropic', 'anthropic_messages'],
    ['https://api.z.ai/api/anthropic/v1/', 'anthropic_messages'],
    ['https://bedrock-runtime.eu-west-1.amazonaws.com', 'bedrock_converse'],
    ['https://bedrock-runtime-fips.us-east-1.amazonaws.com', 'bedrock_converse'],
  ] as const)('an address that tells decides: %s', (address, protocol) => {
    expect(detectProtocol(address, 'gpt-5-codex', ['chat_completions'])).toBe(protocol);
  });

  it.each([
    ['claude-sonnet-4-5', 'anthropic_messages'],
    ['anthropic/claude-sonnet-4.5', 'anthropic_messages'],
    ['gpt-5', 'codex_responses'],
    ['openai/gpt-6.1-sol', 'codex_responses'],
    ['gpt-5-codex', 'codex_responses'],
    ['gpt-4o', 'chat_completions'],
    ['openai/gpt-oss-120b', 'chat_completions'],
    ['my-claude-like', 'chat_completions'],
  ] as const)('then the model’s name: %s', (model, protocol) => {
    expect(detectProtocol('https://x.example/v1', model, PROTOCOL_IDS)).toBe(protocol);
    expect(detectProtocol('', model, PROTOCOL_IDS)).toBe(protocol);
  });

  it('but only a protocol that is spoken there', () => {
    expect(detectProtocol('', 'claude-sonnet-4-5', ['chat_completions'])).toBe('chat_completions');
    expect(detectProtocol('', 'claude-sonnet-4-5', ['bedrock_converse'])).toBe('bedrock_converse');
  });

  it('then the usual one of the provider, or of everyone', () => {
    expect(detectProtocol('', 'qwen3', ['codex_responses', 'chat_completions'])).toBe('codex_responses');
    expect(detectProtocol('', 'qwen3', [])).toBe('chat_completions');
  });
});

describe('baseUrlOf', () => {
  const chat = 'chat_completions';
  it.each<[string, ProtocolId, string]>([
    ['https://x.example', chat, 'https://x.example/v1'],
    ['https://x.example/', chat, 'https://x.example/v1'],
    ['http://127.0.0.1:8080', chat, 'http://127.0.0.1:8080/v1'],
    ['https://x.example/v1', chat, 'https://x.example/v1'],
    ['https://x.example/v1/', chat, 'https://x.example/v1'],
    ['https://x.example/v1/chat/completions', chat, 'https://x.example/v1'],
    ['https://x.example/chat/completions', chat, 'https://x.example/v1'],
    ['https://x.example/api/paas/v4/chat/completions/', chat, 'https://x.example/api/paas/v4'],
    ['https://x.example/v1/responses', 'codex_responses', 'https://x.example/v1'],
    [
      'https://x.example/openai/responses?api-version=1',
      'codex_responses',
      'https://x.example/openai?api-version=1',
    ],
    ['https://api.anthropic.com', 'anthropic_messages', 'https://api.anthropic.com/v1'],
    ['https://api.anthropic.com/v1/messages', 'anthropic_messages', 'https://api.anthropic.com/v1'],
    ['https://api.z.ai/api/anthropic', 'anthropic_messages', 'https://api.z.ai/api/anthropic/v1'],
    [
      'https://bedrock-runtime.eu-west-1.amazonaws.com/',
      'bedrock_converse',
      'https://bedrock-runtime.eu-west-1.amazonaws.com',
    ],
    ['https://x.example?key=1', chat, 'https://x.example/v1?key=1'],
  ])('%s for %s is %s', (address, protocol, base) => {
    expect(baseUrlOf(address, protocol)).toBe(base);
    expect(baseUrlOf(base, protocol)).toBe(base);
  });
});

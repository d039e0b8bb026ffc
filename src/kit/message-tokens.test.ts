import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';
import { messageTokens } from './message-tokens.ts';

const ORIGIN = { provider: 'p', model: 'm', protocol: 'chat_completions' } as const;

describe('messageTokens', () => {
  it('counts texts, thoughts and calls, and a frame for every message', () => {
    const text = 'why is checkout slow';
    expect(messageTokens({ role: 'user', content: [] })).toBe(4);
    expect(messageTokens({ role: 'user', content: [{ type: 'text', text }] })).toBe(4 + estimateTokens(text));
    const call = { type: 'tool_call', id: 'c', name: 'read', arguments: '{"path":"a"}' } as const;
    const content = [{ type: 'thinking', text } as const, call];
    expect(messageTokens({ role: 'assistant', content, origin: ORIGIN })).toBe(
      4 + estimateTokens(text) + estimateTokens('read{"path":"a"}'),
    );
  });

  it('counts a picture by what it costs and not by its bytes', () => {
    const image = (data: string) => ({ type: 'image', mediaType: 'image/png', data }) as const;
    const small = messageTokens({ role: 'user', content: [image('AAAA')] });
    const big = messageTokens({ role: 'user', content: [image('A'.repeat(400_000))] });
    expect(small).toBe(big);
    expect(big).toBeGreaterThan(1_000);
  });
});

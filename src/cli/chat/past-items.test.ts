import { describe, expect, it } from 'vitest';
import type { Message, StoredMessage } from '#spec/data';
import { callResults } from './call-results.ts';
import { pastItems } from './past-items.ts';

const origin = { provider: 'p', model: 'm', protocol: 'local' } as const;
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({
  role: 'assistant',
  origin,
  content: [{ type: 'text', text }],
});
const stored = (messages: readonly Message[], over: Partial<StoredMessage> = {}): StoredMessage[] =>
  messages.map((message, i) => ({
    id: `m${i}`,
    session: 's',
    seq: i,
    position: i,
    turn: 1,
    at: 0,
    state: 'active',
    kind: 'plain',
    message,
    ...over,
  }));

describe('pastItems', () => {
  it('shows the end, from something the user said', () => {
    const messages = Array.from({ length: 10 }, (_, i) => [user(`q${i}`), assistant(`a${i}`)]).flat();
    const { items, earlier } = pastItems(stored([...messages, user('last')]));
    expect(earlier).toBe(14);
    expect(items[0]).toEqual({ kind: 'user', text: 'q7' });
    expect(items.at(-1)).toEqual({ kind: 'user', text: 'last' });
  });

  it('leaves out what the user did not say or took back', () => {
    expect(pastItems(stored([user('x')], { kind: 'notice' })).items).toEqual([]);
    expect(pastItems(stored([user('x')], { state: 'undone' })).items).toEqual([]);
  });

  it('shows calls with how they went, and what they returned only on demand', () => {
    const call: Message = {
      role: 'assistant',
      origin,
      content: [{ type: 'tool_call', id: 'c1', name: 'read', arguments: '{}' }],
    };
    const content = [{ type: 'text' as const, text: 'gone' }];
    const result: Message = { role: 'tool', callId: 'c1', name: 'read', content, isError: true };
    const messages = stored([user('x'), call, result]);
    expect(pastItems(messages).items[1]).toMatchObject({ kind: 'tool', call: 'c1', state: 'failed' });
    expect(callResults(messages).get('c1')).toBe('gone');
  });
});

import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, ModelInfo, UserPart } from '#spec/data';
import { fitWindow } from './fit-window.ts';

const info = (contextWindow: number, maxOutput = 100): ModelInfo => ({
  provider: 'acme',
  model: 'acme-1',
  protocol: 'chat_completions',
  contextWindow,
  maxOutput,
  images: true,
  thinking: true,
});

/** A text of so many tokens, a message's own four not counted. */
const tokens = (count: number) => 'a'.repeat(Math.floor(count * 3.5));
const user = (count: number, ...more: UserPart[]): Message => ({
  role: 'user',
  content: [{ type: 'text', text: tokens(count) }, ...more],
});
const assistant = (...content: AssistantPart[]): Message => ({
  role: 'assistant',
  content,
  origin: { provider: 'acme', model: 'acme-1', protocol: 'chat_completions' },
});
const text = (count: number): AssistantPart => ({ type: 'text', text: tokens(count) });
const call: AssistantPart = { type: 'tool_call', id: 'c', name: 'look', arguments: '{}' };
const result = (count: number): Message => ({
  role: 'tool',
  callId: 'c',
  name: 'look',
  content: [{ type: 'text', text: tokens(count) }],
  isError: false,
});

const kept = (messages: Message[], window: number, system: string[] = []) =>
  fitWindow(
    messages,
    system.map((block) => ({ text: block })),
    info(window),
  );

describe('fitWindow', () => {
  it('keeps everything that fits', () => {
    const messages = [user(10), assistant(text(10)), user(10)];
    expect(kept(messages, 10_000)).toEqual(messages);
    expect(kept([], 10_000)).toEqual([]);
  });

  it('drops the oldest turns first, whole', () => {
    const messages = [user(100), assistant(text(100)), user(100), assistant(text(100)), user(100)];
    // Each message takes 104, and 100 are kept free for the answer.
    expect(kept(messages, 100 + 5 * 104)).toEqual(messages);
    expect(kept(messages, 100 + 5 * 104 - 1)).toEqual(messages.slice(2));
    expect(kept(messages, 100 + 3 * 104)).toEqual(messages.slice(2));
    expect(kept(messages, 100 + 3 * 104 - 1)).toEqual(messages.slice(4));
  });

  it('never begins in the middle of a turn, so that no result loses its call', () => {
    const messages = [
      user(10),
      assistant(text(10)),
      user(10),
      assistant(call),
      result(500),
      assistant(text(10)),
      user(10),
    ];
    for (let window = 150; window < 1_000; window += 10) {
      const [first] = kept(messages, window);
      expect(first?.role).toBe('user');
    }
    expect(kept(messages, 500)).toEqual(messages.slice(6));
  });

  it('always holds the last thing the user said, and what followed it', () => {
    const messages = [user(10), assistant(text(10)), user(5_000), assistant(call), result(5_000)];
    expect(kept(messages, 200)).toEqual(messages.slice(2));
  });

  it('makes room for the prompt and for the answer', () => {
    const messages = [user(100), assistant(text(100)), user(100)];
    const all = 3 * 104;
    expect(kept(messages, all + 100 + 50, [tokens(50)])).toEqual(messages);
    expect(kept(messages, all + 100 + 49, [tokens(50)])).toEqual(messages.slice(2));
    expect(fitWindow(messages, [], info(all + 1_000, 1_001))).toEqual(messages.slice(2));
  });

  it('counts thinking, calls and images', () => {
    const image: UserPart = { type: 'image', mediaType: 'image/png', data: '' };
    const thinking: AssistantPart = { type: 'thinking', text: tokens(400) };
    const args: AssistantPart = { ...call, type: 'tool_call', id: 'c', name: 'look', arguments: tokens(400) };
    for (const heavy of [[user(1, image)], [user(1), assistant(thinking)], [user(1), assistant(args)]]) {
      expect(kept([...heavy, user(10)], 500)).toEqual([user(10)]);
      expect(kept([...heavy, user(10)], 5_000)).toHaveLength(heavy.length + 1);
    }
  });

  it('keeps all of a conversation in which the user has not spoken', () => {
    const messages = [assistant(text(10)), assistant(text(5_000))];
    expect(kept(messages, 200)).toEqual(messages);
  });
});

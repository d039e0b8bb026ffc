import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '#spec/data';
import type { WireEvent } from '#spec/ports';
import { assemble } from './assemble.ts';

const ORIGIN = { provider: 'acme', model: 'acme-1', protocol: 'chat_completions' } as const;

function assembled(...wire: WireEvent[]) {
  const events: ModelEvent[] = [];
  const assembly = assemble(ORIGIN, (event) => events.push(event));
  for (const event of wire) assembly.add(event);
  return { assembly, events, content: assembly.message().content };
}

const start = (key: string, name = 'look'): WireEvent => ({ type: 'tool_start', key, id: `id_${key}`, name });
const args = (key: string, text: string): WireEvent => ({ type: 'tool_arguments', key, text });

describe('assemble', () => {
  it('joins deltas of one kind and starts a new part when the kind changes', () => {
    const { content, events } = assembled(
      { type: 'thinking', text: 'Hm' },
      { type: 'thinking', text: 'm.' },
      { type: 'text', text: 'a' },
      { type: 'text', text: '' },
      { type: 'text', text: 'b' },
      { type: 'thinking', text: 'again' },
    );
    expect(content).toEqual([
      { type: 'thinking', text: 'Hmm.' },
      { type: 'text', text: 'ab' },
      { type: 'thinking', text: 'again' },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      'thinking.delta',
      'thinking.delta',
      'text.delta',
      'text.delta',
      'thinking.delta',
    ]);
  });

  it('attaches a replay to the thinking before it, and makes an empty part where there is none', () => {
    const { content } = assembled(
      { type: 'thinking', text: 'one' },
      { type: 'thinking_end', replay: { signature: 's1' } },
      { type: 'thinking_end', replay: { redacted: 'r' } },
      { type: 'thinking', text: 'two' },
      { type: 'thinking_end' },
    );
    expect(content).toEqual([
      { type: 'thinking', text: 'one', replay: { signature: 's1' } },
      { type: 'thinking', text: '', replay: { redacted: 'r' } },
      { type: 'thinking', text: 'two' },
    ]);
  });

  it('keeps two thoughts apart when the first has ended', () => {
    const { content } = assembled(
      { type: 'thinking', text: 'one' },
      { type: 'thinking_end' },
      { type: 'thinking', text: 'two' },
    );
    expect(content).toHaveLength(2);
  });

  it('builds calls side by side, each with its own index', () => {
    const { content, events } = assembled(
      { type: 'text', text: 'Looking.' },
      start('x'),
      start('y', 'search'),
      args('y', '{"q":'),
      args('x', '{"a":1}'),
      args('y', '2}'),
      { type: 'tool_end', key: 'x' },
      { type: 'tool_end', key: 'x' },
      args('x', 'too late'),
      args('nobody', '{}'),
      { type: 'stop', reason: 'end' },
    );
    expect(content.slice(1)).toEqual([
      { type: 'tool_call', id: 'id_x', name: 'look', arguments: '{"a":1}' },
      { type: 'tool_call', id: 'id_y', name: 'search', arguments: '{"q":2}' },
    ]);
    expect(events.filter(({ type }) => type === 'tool_call.end')).toMatchObject([
      { index: 0, call: { id: 'id_x' } },
      { index: 1, call: { id: 'id_y', arguments: '{"q":2}' } },
    ]);
  });

  it('says tool_calls where a vendor says end after calls, and leaves other reasons alone', () => {
    const end = { type: 'tool_end', key: 'x' } as const;
    expect(assembled(start('x'), end, { type: 'stop', reason: 'end' }).assembly.stop).toBe('tool_calls');
    expect(assembled({ type: 'stop', reason: 'end' }).assembly.stop).toBe('end');
    expect(assembled(start('x'), end, { type: 'stop', reason: 'content_filter' }).assembly.stop).toBe(
      'content_filter',
    );
    expect(assembled().assembly.stop).toBeUndefined();
  });

  it('leaves out a call that never ended', () => {
    expect(assembled({ type: 'text', text: 'a' }, start('x'), args('x', '{"a"')).content).toEqual([
      { type: 'text', text: 'a' },
    ]);
  });

  it.each(['', '{"service":"pay', '{"a":{"b":1}'])(
    'leaves out a call that the output limit cut at %j, even when the vendor closed it',
    (text) => {
      for (const closing of [[], [{ type: 'tool_end', key: 'y' } as const]]) {
        const { content, assembly } = assembled(
          start('x'),
          args('x', '{"a":1}'),
          start('y'),
          args('y', text),
          ...closing,
          { type: 'stop', reason: 'length' },
        );
        expect(content).toMatchObject([{ id: 'id_x' }]);
        expect(assembly.stop).toBe('length');
      }
    },
  );

  it('keeps a call without arguments that ended on its own', () => {
    const wire: WireEvent[] = [
      start('x'),
      { type: 'tool_end', key: 'x' },
      { type: 'stop', reason: 'tool_calls' },
    ];
    expect(assembled(...wire).content).toMatchObject([{ id: 'id_x', arguments: '' }]);
  });

  it('takes later usage over earlier and keeps what is not repeated', () => {
    const { assembly } = assembled(
      { type: 'usage', usage: { input: 10, cacheRead: 5, output: 1 } },
      { type: 'usage', usage: { output: 20 } },
    );
    expect(assembly.usage).toEqual({ input: 10, output: 20, cacheRead: 5, cacheWrite: 0, reasoning: 0 });
  });

  it('remembers the first error and whether the vendor called the response whole', () => {
    const { assembly } = assembled(
      { type: 'error', error: { message: 'first' } },
      { type: 'error', error: { message: 'second' } },
    );
    expect(assembly).toMatchObject({ error: { message: 'first' }, complete: false });
    expect(assembled({ type: 'complete' }).assembly.complete).toBe(true);
  });

  it('signs the message with where it came from', () => {
    expect(assembled().assembly.message()).toEqual({ role: 'assistant', content: [], origin: ORIGIN });
  });
});

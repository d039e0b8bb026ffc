import { describe, expect, it } from 'vitest';
import type { AssistantMessage } from '#spec/data';
import { assemble } from '../wire/assemble.ts';
import { protocol } from './chat-completions.ts';

const ORIGIN = { provider: 'acme', model: 'acme-1', protocol: 'chat_completions' } as const;
const DONE = { event: '[DONE]', data: null };

type Delta = Record<string, unknown>;
const chunk = (delta: Delta, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const finish = (reason: string) => chunk({}, reason);

function decode(...frames: unknown[]) {
  const decoder = protocol.decoder();
  const assembly = assemble(ORIGIN, () => undefined);
  for (const data of frames) {
    const frame = data === DONE ? DONE : { event: '', data };
    for (const event of decoder.push(frame)) assembly.add(event);
  }
  return { assembly, content: assembly.message().content };
}

const callsOf = (content: AssistantMessage['content']) =>
  content.flatMap((part) => (part.type === 'tool_call' ? [[part.id, part.name, part.arguments]] : []));

const piece = (more: Delta, name?: string, args = '') => ({
  ...more,
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});
const tools = (...tool_calls: Delta[]) => chunk({ tool_calls });

describe('tool calls of chat_completions', () => {
  it('are read as OpenAI sends them', () => {
    const { content } = decode(
      tools(piece({ index: 0, id: 'a', type: 'function' }, 'look')),
      tools(piece({ index: 0 }, undefined, '{"n":')),
      tools(piece({ index: 0 }, undefined, '1}')),
      tools(piece({ index: 1, id: 'b', type: 'function' }, 'search', '{}')),
      finish('tool_calls'),
    );
    expect(callsOf(content)).toEqual([
      ['a', 'look', '{"n":1}'],
      ['b', 'search', '{}'],
    ]);
  });

  it('are told apart by their ids where the index is missing or always the same', () => {
    for (const index of [{}, { index: 0 }]) {
      const { content } = decode(
        tools(piece({ ...index, id: 'a' }, 'look', '{"n":1}')),
        tools(piece({ ...index, id: 'b' }, 'look', '{"n":2}')),
        finish('tool_calls'),
      );
      expect(callsOf(content)).toEqual([
        ['a', 'look', '{"n":1}'],
        ['b', 'look', '{"n":2}'],
      ]);
    }
  });

  it('get ids of their own where the server gives none', () => {
    const { content } = decode(
      tools(piece({ index: 0 }, 'look', '{"n":1}')),
      tools(piece({ index: 1, id: '' }, 'look', '{"n":2}')),
      finish('stop'),
    );
    const ids = callsOf(content).map(([id]) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^call_\w{8,}$/);
  });

  it('are told apart where both index and id are missing', () => {
    const together = decode(
      tools(piece({}, 'look', '{"n":1}'), piece({}, 'search', '{"n":2}')),
      finish('stop'),
    );
    const apart = decode(
      tools(piece({}, 'look', '{"n":1}')),
      tools(piece({}, 'look', '{"n":2}')),
      finish('stop'),
    );
    expect(callsOf(together.content).map(([, name, args]) => `${name} ${args}`)).toEqual([
      'look {"n":1}',
      'search {"n":2}',
    ]);
    expect(callsOf(apart.content).map(([, , args]) => args)).toEqual(['{"n":1}', '{"n":2}']);
  });

  it.each([{ index: 0, id: 'a' }, { index: 0 }, { id: 'a' }, {}])(
    'stay one where the name is sent again with %j',
    (more) => {
      const { content } = decode(
        tools(piece(more, 'look', '{"n"')),
        tools(piece(more, 'look', ':1')),
        tools(piece(more, 'look', '}')),
        tools(piece(more, 'look', '')),
        finish('tool_calls'),
      );
      expect(callsOf(content).map(([, ...rest]) => rest)).toEqual([['look', '{"n":1}']]);
    },
  );

  it('keep their own arguments where the pieces of two are mixed', () => {
    const { content } = decode(
      tools(piece({ index: 0, id: 'a' }, 'look'), piece({ index: 1, id: 'b' }, 'search')),
      tools(piece({ index: 0 }, undefined, '{"n":')),
      tools(piece({ index: 1 }, undefined, '{"q":2}')),
      tools(piece({ index: 0 }, undefined, '1}')),
      finish('tool_calls'),
    );
    expect(callsOf(content)).toEqual([
      ['a', 'look', '{"n":1}'],
      ['b', 'search', '{"q":2}'],
    ]);
  });

  it('carry what Gemini wants back with each of them', () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const { content } = decode(
      tools(
        { ...piece({ id: 'a', index: 0 }, 'look', '{}'), extra_content },
        piece({ id: 'b', index: 0 }, 'look', '{}'),
      ),
      finish('stop'),
    );
    expect(content).toMatchObject([{ id: 'a', replay: { extra_content } }, { id: 'b' }]);
    expect(content[1]).not.toHaveProperty('replay');
  });

  it('are not handed over when the output limit cut them', () => {
    const half = tools(piece({ index: 0, id: 'a' }, 'look', '{"n'));
    const { content, assembly } = decode(half, finish('length'));
    expect(content).toEqual([]);
    expect(assembly.stop).toBe('length');
  });

  it('are ignored where they make no sense', () => {
    const frames = [null, 'x', [null, 7, {}]].map((tool_calls) => chunk({ tool_calls }));
    expect(decode(...frames, finish('stop')).content).toEqual([]);
  });
});

describe('thinking of chat_completions', () => {
  it.each(['reasoning_content', 'reasoning'])('is read from %s', (field) => {
    const { content } = decode(
      chunk({ [field]: 'Hm' }),
      chunk({ [field]: 'm' }),
      chunk({ content: 'Hi' }),
      finish('stop'),
    );
    expect(content).toEqual([
      { type: 'thinking', text: 'Hmm' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('is read from tags at the start of the text', () => {
    const { content } = decode(
      chunk({ content: '<think>Hm' }),
      chunk({ content: '</think>\n' }),
      chunk({ content: '\nHi' }),
      DONE,
    );
    expect(content).toEqual([
      { type: 'thinking', text: 'Hm' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('keeps OpenRouter’s details, joined piece by piece, with the thinking they belong to', () => {
    const detail = (more: Delta) => ({
      type: 'reasoning.text',
      index: 0,
      format: 'anthropic-claude-v1',
      ...more,
    });
    const sealed = { type: 'reasoning.encrypted', index: 1, id: 'e1', data: 'AAA' };
    const { content } = decode(
      chunk({ reasoning: 'Hm', reasoning_details: [detail({ text: 'Hm' })] }),
      chunk({ reasoning: 'm', reasoning_details: [detail({ text: 'm', signature: null })] }),
      chunk({ content: 'Hi', reasoning_details: [detail({ signature: 'sig' })] }),
      chunk({ content: '', reasoning_details: [sealed, { ...sealed, id: 'e2', data: 'BBB' }] }),
      finish('stop'),
      finish('stop'),
    );
    const reasoning_details = [
      detail({ text: 'Hmm', signature: 'sig' }),
      sealed,
      { ...sealed, id: 'e2', data: 'BBB' },
    ];
    expect(content).toEqual([
      { type: 'thinking', text: 'Hmm', replay: { reasoning_details } },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('survives details that are not a list', () => {
    for (const reasoning_details of [null, {}, 'x', 7, [null, 'x']]) {
      expect(decode(chunk({ content: 'Hi', reasoning_details }), finish('stop')).content).toHaveLength(1);
    }
  });
});

describe('the end of chat_completions', () => {
  it.each([
    ['stop', 'end'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['function_call', 'tool_calls'],
    ['something new', 'end'],
  ])('%s is %s', (reason, stop) => {
    expect(decode(chunk({ content: 'x' }, reason)).assembly).toMatchObject({ stop, complete: true });
  });

  it('is [DONE] where no reason was given', () => {
    const { assembly, content } = decode(chunk({ content: '<' }), DONE);
    expect([assembly.complete, content]).toEqual([true, [{ type: 'text', text: '<' }]]);
  });

  it('brings usage in a chunk of its own or with the last one, whoever counts', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    const counted = { input: 10, output: 20, cacheRead: 60, cacheWrite: 30, reasoning: 5 };
    expect(decode(finish('stop'), { choices: [], usage }).assembly.usage).toEqual(counted);
    expect(decode({ ...finish('stop'), usage }).assembly.usage).toEqual(counted);
    const deepseek = { prompt_tokens: 100, prompt_cache_hit_tokens: 64, completion_tokens: 1 };
    expect(decode({ ...finish('stop'), usage: deepseek }).assembly.usage).toMatchObject({
      input: 36,
      cacheRead: 64,
    });
  });

  it('is an error in the middle where the server says so', () => {
    const { assembly } = decode(chunk({ content: 'x' }), { error: { message: 'Overloaded', code: 503 } });
    expect(assembly.error).toEqual({ message: 'Overloaded', code: '503' });
  });

  it('reads content that comes as a list of parts', () => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
    const { content } = decode(
      chunk({ content: [thought] }),
      chunk({ content: [{ type: 'text', text: 'Yes.' }] }),
      finish('stop'),
    );
    expect(content).toEqual([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('shows a refusal as text', () => {
    const { content } = decode(chunk({ refusal: 'I cannot.' }), finish('stop'));
    expect(content).toEqual([{ type: 'text', text: 'I cannot.' }]);
  });
});

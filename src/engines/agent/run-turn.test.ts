import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asks, call, echo, results, says, scriptedTurn, textOf } from '#support/engines/agent/scripted-turn';
import { NUDGES } from './nudges.ts';

describe('a turn', () => {
  it('ends with a text answer', async () => {
    const turn = scriptedTurn([says('hello')]);
    expect(await turn.run()).toEqual({ status: 'done', calls: 1, leftover: [] });
    expect(turn.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(turn.facts).toMatchObject([
      { type: 'usage.recorded', data: { model: 'script/script-1', context: 15, window: 10_000 } },
    ]);
    expect(turn.shown.map(({ type }) => type)).toEqual([
      'budget.update',
      'response.start',
      'text.delta',
      'response.end',
    ]);
  });

  it('runs tools, shows what was said before them, and goes on with their results', async () => {
    const asked = call('read_file', { path: 'a' });
    const turn = scriptedTurn([
      { parts: [{ type: 'text', text: 'looking' }, asked], stop: 'tool_calls' },
      says('done'),
    ]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 2 });
    expect(turn.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      callId: asked.id,
      isError: false,
      content: [{ text: 'read_file:a' }],
    });
    expect(turn.shown).toContainEqual({ type: 'message.interim', data: { text: 'looking' } });
    expect(turn.facts.map(({ type }) => type)).toEqual([
      'usage.recorded',
      'tool.started',
      'tool.ended',
      'usage.recorded',
    ]);
  });

  it('records how long each call took and when its answer began', async () => {
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10));
    onTestFinished(() => now.mockRestore());
    const turn = scriptedTurn([says('hello', { deltas: ['hel', 'lo'] })]);
    await turn.run();
    expect(turn.facts).toMatchObject([{ type: 'usage.recorded', data: { ms: 20, firstMs: 10 } }]);
    const silent = scriptedTurn([asks(call('read_file', { path: 'a' })), says('done')]);
    await silent.run();
    const [first] = silent.facts;
    expect(first).toMatchObject({ type: 'usage.recorded', data: { ms: 10 } });
    expect(first?.data).not.toHaveProperty('firstMs');
  });

  it('sends the same prefix with every call', async () => {
    const turn = scriptedTurn([asks(call('read_file', { path: 'a' })), says('done')]);
    await turn.run();
    const prefixes = turn.model.requests.map(({ system, tools }) => JSON.stringify({ system, tools }));
    expect(new Set(prefixes).size).toBe(1);
    expect(prefixes[0]).toContain('read_file');
  });

  it('keeps a draft of everything before it is shown', async () => {
    const turn = scriptedTurn([says('abc', { deltas: ['a', 'b', 'c'] })]);
    await turn.run();
    expect(turn.drafts).toEqual(['a', 'ab', 'abc']);
  });

  it('shows what is said between calls only where that is wanted', async () => {
    const script = () => [
      {
        parts: [{ type: 'text' as const, text: 'looking' }, call('read_file', { path: 'a' })],
        stop: 'tool_calls' as const,
      },
      says('abc', { deltas: ['a', 'bc'] }),
    ];
    const texts = async (interim: boolean) => {
      const turn = scriptedTurn(script(), { interim });
      await turn.run();
      expect(turn.messages.map((message) => textOf(message).trim())).toContain('looking');
      return turn.shown.flatMap(({ type, data }) =>
        type === 'text.delta' || type === 'message.interim' ? [(data as { text: string }).text] : [],
      );
    };
    expect(await texts(true)).toEqual(['looking', 'looking', 'a', 'bc']);
    expect(await texts(false)).toEqual(['abc']);
  });

  it('shows the text of a closing answer, also where texts between calls are not shown', async () => {
    const turn = scriptedTurn(
      [
        asks(call('read_file', { path: 'a' })),
        {
          parts: [{ type: 'text', text: 'that is all' }, call('read_file', { path: 'b' })],
          stop: 'tool_calls',
        },
      ],
      { maxCalls: 1, interim: false },
    );
    await turn.run();
    expect(turn.shown).toContainEqual({ type: 'text.delta', data: { text: 'that is all' } });
  });

  it('keeps the text of a call that failed, and drops its calls', async () => {
    const turn = scriptedTurn([
      { parts: [{ type: 'text', text: 'half' }, call('read_file', { path: 'a' })], fail: 'model.cut' },
    ]);
    expect(await turn.run()).toMatchObject({ status: 'failed', error: { code: 'model.cut' } });
    expect(turn.messages.at(-1)).toMatchObject({ content: [{ type: 'text', text: 'half' }] });
  });
});

describe('the budget', () => {
  it('gives one closing call when it is used up', async () => {
    const turn = scriptedTurn(
      [asks(call('read_file', { path: 'a' })), asks(call('read_file', { path: 'b' })), says('that is all')],
      { maxCalls: 2 },
    );
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 3 });
    expect(turn.notices).toEqual([NUDGES.budget(2)]);
    expect(textOf(turn.messages.at(-1))).toBe('that is all');
    expect(turn.model.requests[2]?.tools).toEqual(turn.model.requests[0]?.tools);
    const used = turn.shown.filter(({ type }) => type === 'budget.update').map(({ data }) => data);
    expect(used).toEqual([1, 2, 2].map((count) => ({ used: count, limit: 2 })));
  });

  it('answers calls of the closing answer without running them', async () => {
    let ran = 0;
    const tool = echo('read_file', {
      run: async () => {
        ran++;
        return { content: [], summary: '' };
      },
    });
    const turn = scriptedTurn(
      [asks(call('read_file', { path: 'a' })), asks(call('read_file', { path: 'b' }), call('x'))],
      { maxCalls: 1, tools: [tool] },
    );
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 2 });
    expect(ran).toBe(1);
    expect(results(turn.messages)).toEqual(['', NUDGES.notRun, NUDGES.notRun]);
  });

  it('gives back what overflowed', async () => {
    const reasons: string[] = [];
    const turn = scriptedTurn([{ fail: 'model.context_overflow' }, says('fits')], {
      maxCalls: 1,
      makeRoom: async (reason) => {
        reasons.push(reason);
        return reason === 'overflow';
      },
    });
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 2 });
    expect(turn.notices).toEqual([]);
    expect(reasons).toEqual(['full', 'overflow', 'full']);
  });
});

describe('an overflow', () => {
  const OVERFLOW = { fail: 'model.context_overflow' } as const;

  it('is tried again at most three times', async () => {
    let made = 0;
    const turn = scriptedTurn([OVERFLOW, OVERFLOW, OVERFLOW, OVERFLOW, says('never')], {
      makeRoom: async (reason) => reason === 'overflow' && ++made > 0,
    });
    expect(await turn.run()).toMatchObject({ status: 'failed', error: { code: 'model.context_overflow' } });
    expect(made).toBe(3);
    expect(turn.model.requests).toHaveLength(4);
  });

  it('ends the turn at once when no room can be made', async () => {
    const turn = scriptedTurn([OVERFLOW, says('never')]);
    expect(await turn.run()).toMatchObject({ status: 'failed', calls: 1 });
  });
});

describe('weak answers', () => {
  it('are continued twice when they are cut', async () => {
    const cut = (text: string) => says(text, { stop: 'length' });
    const turn = scriptedTurn([cut('one'), cut('two'), cut('three'), says('never')]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 3 });
    expect(turn.notices).toEqual([NUDGES.continue, NUDGES.continue]);
    expect(turn.messages.filter(({ role }) => role === 'assistant').map(textOf)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('are nudged when they are empty, and end as (empty)', async () => {
    const turn = scriptedTurn([{}, says('  \n'), {}, {}, says('never')]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 4 });
    expect(turn.notices).toEqual([NUDGES.empty, NUDGES.empty, NUDGES.empty]);
    expect(textOf(turn.messages.at(-1))).toBe('(empty)');
    expect(turn.facts.filter(({ type }) => type === 'usage.recorded')).toHaveLength(4);
  });

  it('count as empty when there is only thinking', async () => {
    const thought = { parts: [{ type: 'thinking', text: 'hm' }] } as const;
    const turn = scriptedTurn([thought, says('here')]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 2 });
    expect(turn.notices).toEqual([NUDGES.empty]);
    expect(textOf(turn.messages.at(-1))).toBe('here');
  });

  it('do not add up when good ones come between', async () => {
    const good = () => asks(call('read_file', { path: String(Math.random()) }));
    const turn = scriptedTurn([{}, {}, good(), {}, {}, good(), {}, says('done')]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 8 });
    expect(textOf(turn.messages.at(-1))).toBe('done');
  });
});

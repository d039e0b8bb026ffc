import { describe, expect, it } from 'vitest';
import { asks, call, echo, results, says, scriptedTurn, textOf } from '#support/engines/agent/scripted-turn';
import { NUDGES } from './nudges.ts';

const read = (path = 'a') => call('read_file', { path });

describe('bad calls', () => {
  it.each(['Read-File', 'read file', 'raed_file', 'READ_FILE', ' read_file '])(
    'repairs the name %j',
    async (name) => {
      const turn = scriptedTurn([asks(call(name, { path: 'a' })), says('done')]);
      await turn.run();
      expect(results(turn.messages)).toEqual(['read_file:a']);
    },
  );

  it('feeds an unknown name back with the names there are', async () => {
    const turn = scriptedTurn([asks(call('launch_rocket')), says('sorry')], {
      tools: [echo('read_file'), echo('todo')],
    });
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 2 });
    expect(results(turn.messages)[0]).toMatch(/no tool called 'launch_rocket'.*read_file, todo/);
    expect(turn.messages.at(-2)).toMatchObject({ isError: true });
  });

  it('closes the turn after three rounds of nothing but bad calls', async () => {
    const bad = () => asks(call('launch_rocket'), call('read_file', '{"path":'));
    const turn = scriptedTurn([bad(), bad(), bad(), says('I cannot'), says('never')]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 4 });
    expect(turn.notices).toEqual([NUDGES.badCalls]);
    expect(textOf(turn.messages.at(-1))).toBe('I cannot');
  });

  it('does not count a round in which one call was good', async () => {
    const mixed = (path: string) => asks(call('launch_rocket'), read(path));
    const turn = scriptedTurn([mixed('a'), mixed('b'), mixed('c'), mixed('d'), says('done')]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 5 });
    expect(turn.notices).toEqual([]);
  });
});

describe('the loop guard', () => {
  it('warns at the third same result and closes at the sixth', async () => {
    const turn = scriptedTurn([
      ...Array.from({ length: 6 }, () => asks(read())),
      says('stuck'),
      says('never'),
    ]);
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 7 });
    const warned = results(turn.messages).map((text) => text.includes(NUDGES.again));
    expect(warned).toEqual([false, false, true, true, true, true]);
    expect(turn.notices).toEqual([NUDGES.circle]);
    expect(textOf(turn.messages.at(-1))).toBe('stuck');
  });

  it('leaves a call alone whose result changes', async () => {
    let count = 0;
    const tool = echo('read_file', {
      run: async () => ({ content: [{ type: 'text', text: `${++count}` }], summary: '' }),
    });
    const turn = scriptedTurn([...Array.from({ length: 7 }, () => asks(read())), says('done')], {
      tools: [tool],
    });
    await turn.run();
    expect(turn.notices).toEqual([]);
    expect(results(turn.messages)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });
});

describe('steering', () => {
  it('goes with the last result of the batch', async () => {
    const said: string[] = [];
    const slow = echo('slow', {
      run: async () => {
        said.push('also look at b', 'and be quick');
        await new Promise(setImmediate);
        return { content: [{ type: 'text', text: 'slow' }], summary: '' };
      },
    });
    const turn = scriptedTurn([asks(read(), call('slow', { path: 'x' })), says('done')], {
      tools: [echo(), slow],
      takeSteering: () => said.splice(0),
    });
    expect(await turn.run()).toMatchObject({ leftover: [] });
    expect(results(turn.messages)).toEqual([
      'read_file:a',
      'slow\n[The user adds] also look at b\n[The user adds] and be quick',
    ]);
    expect(turn.facts.filter(({ type }) => type === 'steering.applied')).toHaveLength(2);
  });

  it('is left over when it comes too late', async () => {
    const said: string[] = [];
    const turn = scriptedTurn([says('done')], {
      onCall: () => said.push('wait'),
      takeSteering: () => said.splice(0),
    });
    expect(await turn.run()).toMatchObject({ status: 'done', leftover: ['wait'] });
    expect(JSON.stringify(turn.messages)).not.toContain('wait');
  });
});

describe('an interrupt', () => {
  it('before the turn calls nothing', async () => {
    const turn = scriptedTurn([says('never')], { takeSteering: () => ['late'] });
    expect(await turn.run(AbortSignal.abort())).toEqual({ status: 'aborted', calls: 0, leftover: ['late'] });
    expect(turn.model.requests).toEqual([]);
  });

  it('during an answer keeps its text and not its calls', async () => {
    const stop = new AbortController();
    const parts = [{ type: 'text', text: 'so far' } as const, read()];
    const turn = scriptedTurn([{ parts, hangs: true }], { onCall: () => setImmediate(() => stop.abort()) });
    expect(await turn.run(stop.signal)).toMatchObject({ status: 'aborted', calls: 1 });
    expect(turn.messages.at(-1)).toMatchObject({ content: [{ type: 'text', text: 'so far' }] });
  });

  it('during an answer that said nothing leaves no message', async () => {
    const stop = new AbortController();
    const turn = scriptedTurn([{ hangs: true }], { onCall: () => setImmediate(() => stop.abort()) });
    await turn.run(stop.signal);
    expect(turn.messages).toHaveLength(1);
  });

  it('during tools gives every call a result, also those that never end or never began', async () => {
    const stop = new AbortController();
    const never = echo('never', {
      effect: () => 2,
      run: () => {
        setImmediate(() => stop.abort());
        return new Promise(() => undefined);
      },
    });
    const turn = scriptedTurn([asks(read(), call('never', { path: 'x' }), read('b')), says('no')], {
      tools: [echo(), never],
    });
    expect(await turn.run(stop.signal)).toMatchObject({ status: 'aborted', calls: 1 });
    expect(results(turn.messages)).toEqual([
      'read_file:a',
      'Interrupted by the user.',
      'Interrupted by the user before it ran.',
    ]);
  });
});

describe('a result that ends the turn', () => {
  const handOver = echo('hand_over', {
    run: async () => ({ content: [{ type: 'text', text: 'handed over' }], summary: '', endsTurn: true }),
  });

  it('does so once the calls beside it have theirs', async () => {
    const turn = scriptedTurn([asks(call('hand_over', { path: 'b' }), read('a')), says('never')], {
      tools: [handOver, echo('read_file')],
    });
    expect(await turn.run()).toMatchObject({ status: 'done', calls: 1 });
    expect(results(turn.messages)).toEqual(['handed over', 'read_file:a']);
  });
});

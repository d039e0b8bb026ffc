import { setImmediate as tick } from 'node:timers/promises';
import { cutMiddle } from '#kit/cut-middle';
import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { ToolCallPart } from '#spec/data';
import type { Tool } from '#spec/ports';
import { call, contextFor, echo, textOf } from '#support/engines/agent/scripted-turn';
import { type BatchDeps, runToolBatch } from './tool-batch.ts';
import { toolSet } from './tool-set.ts';

/** Tools that note when they begin and end, and a batch over them. */
function bench() {
  const log: string[] = [];
  const busy = { now: 0, most: 0 };
  const tool = (name: string, more: Partial<Tool<{ path: string }>> = {}) =>
    echo(name, {
      run: async ({ path }) => {
        log.push(`+${path}`);
        busy.most = Math.max(busy.most, ++busy.now);
        // Earlier calls take longer, so that they end in the opposite order.
        for (let wait = 40 - 4 * log.length; wait > 0; wait--) await tick();
        busy.now--;
        log.push(`-${path}`);
        return { content: [{ type: 'text', text: path }], summary: path };
      },
      ...more,
    });
  return { log, busy, tool };
}

async function batch(calls: readonly ToolCallPart[], tools: readonly Tool[], more: Partial<BatchDeps> = {}) {
  const ended: string[] = [];
  const signal = more.signal ?? new AbortController().signal;
  const report = await runToolBatch(calls, {
    tools: toolSet(tools),
    permit: async () => ({ allowed: true }),
    scope: { session: 's1', turn: 1, run: 'r1', ask: undefined, signal },
    present: async (text, limit) => cutMiddle(text, limit),
    clean: (text) => text.replaceAll('s3cret', '[redacted]'),
    contextFor: (asked) => contextFor(asked, signal),
    onStart: async () => undefined,
    signal,
    ...more,
    onEnd: async (asked, message, told) => {
      ended.push(asked.id);
      await more.onEnd?.(asked, message, told);
    },
  });
  expect(report.messages.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
  expect(ended.toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
  return { ...report, texts: report.messages.map(textOf) };
}

const paths = (name: string, ...names: readonly string[]) => names.map((path) => call(name, { path }));

describe('calls side by side', () => {
  it('overlap in time when they only read, and keep their order', async () => {
    const { log, tool } = bench();
    const { texts } = await batch(paths('read', 'a', 'b', 'c'), [tool('read')]);
    expect(log.slice(0, 3)).toEqual(['+a', '+b', '+c']);
    expect(log.slice(3)).toEqual(['-c', '-b', '-a']);
    expect(texts).toEqual(['a', 'b', 'c']);
  });

  it('are at most eight', async () => {
    const { busy, tool } = bench();
    const names = Array.from({ length: 20 }, (_, i) => `f${i}`);
    const { texts } = await batch(paths('read', ...names), [tool('read')]);
    expect(busy.most).toBe(8);
    expect(texts).toEqual(names);
  });

  it('may write to different places', async () => {
    const { busy, tool } = bench();
    const write = tool('write', { effect: () => 2, footprint: ({ path }) => ({ writes: [path] }) });
    await batch(paths('write', 'a/b', 'a/c', 'ab'), [write]);
    expect(busy.most).toBe(3);
  });
});

describe('calls in order', () => {
  it.each([
    ['a', 'a'],
    ['a', './a'],
    ['a/b', 'a'],
    ['a/', 'a/b/c'],
    ['.', 'x'],
    ['a', 'b/../a'],
    ['a//b', 'a/b'],
  ])('when %j and %j overlap', async (first, second) => {
    const { busy, log, tool } = bench();
    const write = tool('write', { effect: () => 2, footprint: ({ path }) => ({ writes: [path] }) });
    const read = tool('read', { footprint: ({ path }) => ({ reads: [path] }) });
    await batch([...paths('write', first), ...paths('read', second)], [write, read]);
    expect(busy.most).toBe(1);
    expect(log[0]).toBe(`+${first}`);
  });

  it('do not collide when both only read', async () => {
    const { busy, tool } = bench();
    await batch(paths('read', 'a', 'a/b'), [tool('read', { footprint: ({ path }) => ({ reads: [path] }) })]);
    expect(busy.most).toBe(2);
  });

  it.each([
    ['without a footprint', { effect: () => 2 as const }],
    ['whose footprint is undefined', { footprint: () => undefined }],
  ])('when one %s must run alone', async (_, more) => {
    const { busy, log, tool } = bench();
    await batch(
      [...paths('read', 'a'), ...paths('alone', 'b'), ...paths('read', 'c')],
      [tool('read'), tool('alone', more)],
    );
    expect(busy.most).toBe(1);
    expect(log).toEqual(['+a', '-a', '+b', '-b', '+c', '-c']);
  });
});

describe('identical calls', () => {
  it('run once and both get the result', async () => {
    const { log, tool } = bench();
    const twice = [call('read', '{"path":"a"}'), call('read', '{ "path": "a" }')];
    const { texts } = await batch([...twice, ...paths('read', 'b')], [tool('read')]);
    expect(texts).toEqual(['a', 'a', 'b']);
    expect(log.filter((line) => line === '+a')).toHaveLength(1);
  });

  it('run once also when they would collide', async () => {
    const { log, tool } = bench();
    await batch(paths('write', 'a', 'a'), [tool('write', { effect: () => 2 })]);
    expect(log).toEqual(['+a', '-a']);
  });

  it('run again when something was changed in between', async () => {
    let value = 'old';
    const read = echo('read', {
      footprint: ({ path }) => ({ reads: [path] }),
      run: async () => ({ content: [{ type: 'text', text: value }], summary: '' }),
    });
    const write = echo('write', {
      footprint: ({ path }) => ({ writes: [path] }),
      run: async () => {
        value = 'new';
        return { content: [], summary: '' };
      },
    });
    const { texts } = await batch(
      ['read', 'write', 'read'].map((name) => call(name, { path: 'a' })),
      [read, write],
    );
    expect(texts).toEqual(['old', '', 'new']);
  });
});

describe('a call that cannot be run', () => {
  it('gets the reason when its JSON or its fields are wrong', async () => {
    const calls = [call('read_file', '{"path":'), call('read_file', { path: 7 }), call('read_file', '[]')];
    const { messages, texts, malformed, unknown } = await batch(calls, [echo()]);
    expect({ malformed, unknown }).toEqual({ malformed: 3, unknown: 0 });
    expect(texts[0]).toMatch(/not valid JSON/);
    expect(texts[1]).toMatch(/arguments of read_file are wrong\. path: /);
    expect(texts[2]).toMatch(/arguments: /);
    expect(messages.every(({ isError }) => isError)).toBe(true);
  });

  it('takes no arguments at all for an empty object', async () => {
    const { texts } = await batch([call('read_file', '')], [echo()]);
    expect(texts[0]).toMatch(/path: /);
  });

  it('gets what was thrown, with its hint', async () => {
    const sync = echo('sync', {
      run: () => {
        throw new Error('broken at once');
      },
    });
    const late = echo('late', {
      run: async () => Promise.reject(fail('input.invalid', 'no such file', 'look')),
    });
    const { texts, messages } = await batch([...paths('sync', 'a'), ...paths('late', 'b')], [sync, late]);
    expect(texts).toEqual(['broken at once', 'no such file (look)']);
    expect(messages.every(({ isError }) => isError)).toBe(true);
  });

  it('gets the reason when it is not permitted, and does not run', async () => {
    const { log, tool } = bench();
    const { texts, messages } = await batch(paths('read', 'a'), [tool('read')], {
      permit: async () => ({ allowed: false, reason: 'the user did not agree.' }),
    });
    expect(texts).toEqual(['Not allowed: the user did not agree.']);
    expect(messages[0]?.isError).toBe(true);
    expect(log).toEqual([]);
  });

  it('gets a result when the question of permission itself fails', async () => {
    const { texts } = await batch(paths('read_file', 'a'), [echo()], {
      permit: () => Promise.reject(new Error('no answer')),
    });
    expect(texts).toEqual(['no answer']);
  });

  it('gets a result when its effect or footprint cannot be told', async () => {
    const odd = echo('odd', {
      footprint: () => {
        throw new Error('odd path');
      },
    });
    expect((await batch(paths('odd', 'a'), [odd])).texts).toEqual(['odd:a']);
  });
});

describe('an interrupt', () => {
  it('ends a question of permission that nobody answers', async () => {
    const stop = new AbortController();
    const { texts } = await batch(paths('read_file', 'a'), [echo()], {
      signal: stop.signal,
      permit: () => {
        setImmediate(() => stop.abort());
        return new Promise(() => undefined);
      },
    });
    expect(texts).toEqual(['Interrupted by the user.']);
  });

  it('that comes with the permission runs nothing', async () => {
    const { log, tool } = bench();
    const stop = new AbortController();
    const { texts } = await batch(paths('read', 'a'), [tool('read')], {
      signal: stop.signal,
      permit: async () => {
        stop.abort();
        return { allowed: true };
      },
    });
    expect(texts).toEqual(['Interrupted by the user.']);
    expect(log).toEqual([]);
  });
});

describe('a result', () => {
  it('is cut in the middle where its tool says so, and at 50,000 characters otherwise', async () => {
    const long = {
      content: [{ type: 'text' as const, text: `start${'x'.repeat(200_000)}end` }],
      summary: '',
    };
    const tools = [
      echo('small', { maxChars: 500, run: async () => long }),
      echo('big', { run: async () => long }),
    ];
    const { texts } = await batch([...paths('small', 'a'), ...paths('big', 'a')], tools);
    expect(texts.map((text) => text.length)).toEqual([500, 50_000]);
    for (const text of texts) expect(text).toMatch(/^startx+\n\[… .* left out …\]\nx+end$/);
  });

  it('lets no secret into what people see of a call', async () => {
    const seen: string[] = [];
    const tool = echo('leaks', {
      run: async (_, { update }) => {
        update('with s3cret');
        return { content: [], summary: 'had s3cret' };
      },
    });
    const summaries: string[] = [];
    await batch([call('leaks', { path: 'a' })], [tool], {
      contextFor: (asked) => ({ ...contextFor(asked), update: (text) => void seen.push(text) }),
      onEnd: async (_, __, { summary }) => void summaries.push(summary),
    });
    expect([...seen, ...summaries]).toEqual(['with [redacted]', 'had [redacted]']);
  });

  it('lets a call make others that are checked like its own, but not itself under any spelling', async () => {
    const asked: string[] = [];
    const outer = echo('run_all', {
      run: async (_, { callTool }) => {
        const results = [];
        for (const name of ['reads', 'run_all', 'Run-All', 'denied'])
          results.push(await callTool(name, { path: name }));
        const content = results.flatMap((result) => result.content);
        return { content, summary: '' };
      },
    });
    const { messages } = await batch(
      [call('run_all', { path: 'a' })],
      [outer, echo('reads'), echo('denied')],
      {
        permit: async (tool) => {
          asked.push(tool.name);
          return tool.name === 'denied' ? { allowed: false, reason: 'no.' } : { allowed: true };
        },
      },
    );
    const texts = (messages[0]?.content ?? []).map((part) => (part.type === 'text' ? part.text : ''));
    expect(texts).toEqual([
      'reads:reads',
      'run_all cannot call itself.',
      'run_all cannot call itself.',
      'Not allowed: no.',
    ]);
    expect(asked).toEqual(['run_all', 'reads', 'denied']);
  });

  it('say what there is to say about them, each in its own result', async () => {
    const { tool } = bench();
    const { texts } = await batch(paths('read', 'a', 'a'), [tool('read')], {
      permit: async (_tool, _input, asked) => ({ allowed: true, notice: `not kept: ${asked.id}` }),
    });
    expect(new Set(texts).size).toBe(2);
    for (const text of texts) expect(text).toMatch(/^a[\s\S]*not kept: /);
  });

  it('gives the tool what the check has put in the place of its input', async () => {
    const { messages } = await batch([call('reads', { path: 'a' })], [echo('reads')], {
      permit: async () => ({ allowed: true, input: { path: 'b' } }),
    });
    expect(messages[0]?.content).toEqual([{ type: 'text', text: 'reads:b' }]);
  });
});

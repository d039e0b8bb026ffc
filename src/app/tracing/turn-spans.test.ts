import { describe, expect, it } from 'vitest';
import type { AgentEvent, AgentEvents } from '#spec/data';
import type { FinishedSpan } from '#spec/ports';
import { openTracer } from './open-tracer.ts';
import { turnSpans } from './turn-spans.ts';

const START = Date.parse('2026-11-15T10:00:00Z');
const USAGE = { input: 10, output: 4, cacheRead: 30, cacheWrite: 2, reasoning: 0 };
const message = {
  role: 'assistant',
  content: [],
  origin: { provider: 'openai', model: 'gpt-x', protocol: 'local' },
};
const DONE = { status: 'done', stop: 'tool_calls', message, usage: USAGE, cost: 0.01 };

/** What spans become of these events, each so many milliseconds after the beginning. */
function spansOf(...told: readonly { [K in keyof AgentEvents]: [number, K, object] }[keyof AgentEvents][]) {
  const spans: FinishedSpan[] = [];
  const tracer = openTracer(
    { add: (span) => spans.push(span) },
    () => true,
    () => START,
  );
  const watch = turnSpans(tracer, { session: 'ses_1', platform: 'cli' });
  for (const [ms, type, data] of told)
    watch.see({
      id: 'e',
      seq: 1,
      at: new Date(START + ms).toISOString(),
      stream: 'ses_1',
      type,
      data,
    } as AgentEvent);
  watch.end();
  const shown = spans.map(({ name, startMs, endMs, error }) =>
    [name, startMs - START, endMs - START, error].filter((part) => part !== undefined).join(' '),
  );
  return { spans, shown };
}

describe('the spans of a turn', () => {
  it('are its calls, tools that run side by side, and compactions', () => {
    const { spans, shown } = spansOf(
      [1, 'turn.started', { turn: 3, text: 'words' }],
      [1, 'compaction.start', { tokens: 9, window: 10 }],
      [5, 'context.compacted', { how: 'pruned', before: 9, after: 4, archived: 2 }],
      [10, 'budget.update', { used: 1, limit: 9 }],
      [12, 'attempt.failed', { attempt: 1, error: { code: 'model.overloaded' }, next: { kind: 'stop' } }],
      [20, 'response.end', DONE],
      [21, 'tool.started', { call: 'a', name: 'read_file', arguments: 'words' }],
      [22, 'tool.started', { call: 'b', name: 'terminal', arguments: 'words' }],
      [30, 'tool.ended', { call: 'b', name: 'terminal', isError: true, ms: 8, summary: 'words' }],
      [40, 'tool.ended', { call: 'a', name: 'read_file', isError: false, ms: 19, summary: 'words' }],
      [50, 'turn.ended', { turn: 3, status: 'done', calls: 1 }],
    );
    expect(shown).toEqual([
      'compact 1 5',
      'chat gpt-x 10 20',
      'execute_tool terminal 22 30 tool_error',
      'execute_tool read_file 21 40',
      'invoke_agent hermes 0 50',
    ]);
    expect(spans[1]).toMatchObject({
      kind: 'client',
      attributes: {
        'gen_ai.provider.name': 'openai',
        'gen_ai.usage.input_tokens': 42,
        'gen_ai.usage.cache_read.input_tokens': 30,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.response.finish_reasons': ['tool_calls'],
        'hermes.attempts_failed': 1,
        'hermes.cost_usd': 0.01,
      },
    });
    const [root, ...rest] = spans.toReversed();
    expect(root?.attributes).toMatchObject({ 'gen_ai.conversation.id': 'ses_1', 'hermes.turn': 3 });
    for (const span of rest) expect(span).toMatchObject({ traceId: root?.traceId, parentId: root?.spanId });
    expect(JSON.stringify(spans)).not.toContain('words');
  });

  it('end with the turn when it was interrupted or failed', () => {
    expect(
      spansOf(
        [1, 'tool.started', { call: 'a', name: 'terminal', arguments: '' }],
        [9, 'turn.ended', { turn: 1, status: 'aborted', calls: 1 }],
      ).shown,
    ).toEqual(['execute_tool 1 9 aborted', 'invoke_agent hermes 0 9']);
    const error = { code: 'model.auth', message: 'the key sk-12345 is wrong', retry: { again: false } };
    const failed = spansOf(
      [1, 'budget.update', { used: 1, limit: 9 }],
      [5, 'response.end', { status: 'failed', error, message, usage: USAGE }],
      [6, 'turn.ended', { turn: 1, status: 'failed', calls: 1, error }],
    );
    expect(failed.shown).toEqual(['chat gpt-x 1 5 model.auth', 'invoke_agent hermes 0 6 model.auth']);
    expect(JSON.stringify(failed.spans)).not.toContain('sk-');
  });
});

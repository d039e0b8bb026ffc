import { describe, expect, it } from 'vitest';
import type { AgentEvent, AgentEvents, ErrorRecord } from '#spec/data';
import { reduceTurn, startTurn, type TurnView } from './turn-view.ts';

const error: ErrorRecord = {
  code: 'model.server',
  message: 'no',
  retry: { again: true },
  source: { provider: 'openai', model: 'gpt-5' },
};

function play(
  ...events: readonly { [K in keyof AgentEvents]: [K, AgentEvents[K]] }[keyof AgentEvents][]
): TurnView {
  let now = 0;
  return events.reduce(
    (view, [type, data]) => {
      const event = { id: 'e', seq: 0, at: '', stream: 's', type, data } as AgentEvent;
      return reduceTurn(view, event, (now += 1_000));
    },
    startTurn([], 0),
  );
}
const started = (call: string): ['tool.started', AgentEvents['tool.started']] => [
  'tool.started',
  { call, name: 'read', arguments: '{}' },
];
const ended = (call: string, isError = false): ['tool.ended', AgentEvents['tool.ended']] => [
  'tool.ended',
  { call, name: 'read', isError, ms: 5, summary: 'ok' },
];

describe('reduceTurn', () => {
  it('joins deltas, and ends thinking when the text begins', () => {
    const view = play(
      ['thinking.delta', { text: 'a' }],
      ['thinking.delta', { text: 'b' }],
      ['text.delta', { text: 'c' }],
      ['text.delta', { text: 'd' }],
    );
    expect(view.items).toEqual([
      { kind: 'thinking', text: 'ab', startedAt: 1_000, ms: 2_000 },
      { kind: 'text', text: 'cd' },
    ]);
    expect(view.activity).toEqual({ kind: 'writing' });
  });

  it('follows parallel calls by their id', () => {
    const running = play(
      started('1'),
      started('2'),
      ['tool.update', { call: '2', text: 'half' }],
      ended('1'),
    );
    expect(running.activity).toEqual({ kind: 'tools', count: 1 });
    expect(running.items).toMatchObject([
      { call: '1', state: 'done', summary: 'ok', ms: 5 },
      { call: '2', state: 'running', progress: 'half' },
    ]);
    const over = play(started('1'), started('2'), ended('2', true), ended('1'));
    expect(over.activity).toEqual({ kind: 'waiting' });
    expect(over.items).toMatchObject([{ state: 'done' }, { state: 'failed' }]);
  });

  it('begins a new text after calls, and ignores news of calls it does not know', () => {
    const view = play(['text.delta', { text: 'a' }], started('1'), ended('9'), ended('1'), [
      'text.delta',
      { text: 'b' },
    ]);
    expect(view.items.map(({ kind }) => kind)).toEqual(['text', 'tool', 'text']);
  });

  it('keeps only the latest of attempts in a row', () => {
    const retry = { error, attempt: 1, next: { kind: 'retry', afterMs: 2_000 } } as const;
    const over = { error, attempt: 2, next: { kind: 'failover', provider: 'x', model: 'y' } } as const;
    const view = play(['attempt.failed', retry], ['attempt.failed', over]);
    expect(view.items).toEqual([{ kind: 'attempt', error, next: over.next }]);
    expect(view.activity).toEqual({ kind: 'retrying', who: 'x/y', at: 2_000 });
    expect(play(['attempt.failed', retry]).activity).toEqual({
      kind: 'retrying',
      who: 'openai/gpt-5',
      at: 3_000,
    });
  });

  it('says the last failure once, at the end of the turn', () => {
    const view = play(
      ['attempt.failed', { error, attempt: 1, next: { kind: 'stop' } }],
      ['turn.ended', { turn: 1, status: 'failed', calls: 1, error }],
    );
    expect(view.items).toEqual([{ kind: 'error', error }]);
    expect(view.activity).toEqual({ kind: 'idle' });
  });

  it('marks what was running when the turn was stopped', () => {
    const view = play(started('1'), ['turn.ended', { turn: 1, status: 'aborted', calls: 1 }]);
    expect(view.items).toMatchObject([{ state: 'stopped' }, { kind: 'stopped' }]);
  });

  it('says that an answer was cut short only when it stays so', () => {
    const stop = (reason: 'length' | 'end'): ['response.end', AgentEvents['response.end']] => [
      'response.end',
      {
        status: 'done',
        stop: reason,
        message: { role: 'assistant', content: [], origin: { provider: 'p', model: 'm', protocol: 'local' } },
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      },
    ];
    const done = ['turn.ended', { turn: 1, status: 'done', calls: 1 }] as const;
    expect(play(stop('length'), [...done]).items).toEqual([{ kind: 'cut_short' }]);
    expect(play(stop('length'), stop('end'), [...done]).items).toEqual([]);
  });

  it('shows what was heard meanwhile, notices and compaction', () => {
    const view = play(
      ['steering.applied', { text: 'quick' }],
      ['notice', { text: 'note' }],
      ['compaction.start', { tokens: 9, window: 10 }],
      ['context.compacted', { how: 'digested', before: 9, after: 3, archived: 4 }],
    );
    expect(view.items).toEqual([
      { kind: 'steer', text: 'quick' },
      { kind: 'notice', text: 'note' },
      { kind: 'compacted', before: 9, after: 3 },
    ]);
  });
});

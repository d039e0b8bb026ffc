import type { SessionApproval } from '#spec/api';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '#spec/data';
import { arrangeTurns, isRunning } from './arrange-turns.ts';

const T0 = Date.UTC(2026, 0, 1);
const USAGE = { input: 10, output: 5, cacheRead: 85, cacheWrite: 5, reasoning: 0 };

/** Facts as [milliseconds, type, data]. */
const facts = (...all: readonly (readonly [number, string, object])[]): AgentEvent[] =>
  all.map(
    ([ms, type, data], index) =>
      ({
        id: `s:${index + 1}`,
        seq: index + 1,
        stream: 's',
        at: new Date(T0 + ms).toISOString(),
        type,
        data,
      }) as AgentEvent,
  );
const said = (message: string, role = 'user') => ['message.added', { message, role }] as const;
const began = (turn: number) => ['turn.started', { turn, text: `turn ${turn}` }] as const;
const ended = (turn: number, more = {}) =>
  ['turn.ended', { turn, status: 'done', calls: 1, ...more }] as const;
const spent = (more = {}) =>
  [
    'usage.recorded',
    { usage: USAGE, model: 'p/m', context: 100, window: 1_000, cost: 0.5, ...more },
  ] as const;
const started = (call: string) => ['tool.started', { call, name: call, arguments: '{}' }] as const;
const done = (call: string, ms: number, isError = false) =>
  ['tool.ended', { call, name: call, ms, isError, summary: `${call} ok` }] as const;

const spans = (turns: ReturnType<typeof arrangeTurns>, index = 0) =>
  turns[index]?.steps.map(({ kind, start, end, state }) => `${kind} ${start - T0}-${end - T0} ${state}`);

const LATER = T0 + 86_400_000;

describe('a turn', () => {
  const whole = facts(
    [0, ...said('m1')],
    [0, ...began(1)],
    [900, ...said('m2', 'assistant')],
    [900, ...spent({ ms: 800, firstMs: 300 })],
    [910, ...started('a')],
    [911, ...started('b')],
    [1_200, ...said('m3', 'tool')],
    [1_200, ...done('b', 280)],
    [1_500, ...said('m4', 'tool')],
    [1_500, ...done('a', 590, true)],
    [1_501, 'steering.applied', { text: 'faster' }],
    [2_600, ...said('m5', 'assistant')],
    [2_600, ...spent({ ms: 1_000 })],
    [2_650, ...ended(1)],
  );

  it('has its calls and tools where they were, side by side where they ran so', () => {
    const turns = arrangeTurns(whole, [], LATER);
    expect(spans(turns)).toEqual([
      'model 100-900 done',
      'tool 910-1500 error',
      'tool 911-1191 done',
      'steering 1501-1501 done',
      'model 1600-2600 done',
    ]);
    expect(turns[0]).toMatchObject({ number: 1, message: 'm1', status: 'done', cost: 1 });
    expect(turns[0]?.usage.cacheRead).toBe(170);
    expect(turns[0]?.steps[0]).toMatchObject({ firstMs: 300, message: 'm2', estimated: false });
    expect(turns[0]?.steps[1]).toMatchObject({ message: 'm4', summary: 'a ok' });
  });

  it('takes a call without a time to have begun when the step before it ended, and says so', () => {
    const old = facts(
      [0, ...began(1)],
      [400, ...spent()],
      [410, ...started('a')],
      [600, ...done('a', 150)],
      [900, ...spent()],
      [950, ...ended(1)],
    );
    const turns = arrangeTurns(old, [], LATER);
    expect(spans(turns)).toEqual(['model 0-400 done', 'tool 410-560 done', 'model 560-900 done']);
    expect(turns[0]?.steps.map(({ estimated }) => estimated)).toEqual([true, false, true]);
  });

  it('shows what waited for an agreement', () => {
    const approval = { id: 'apr_1', tool: 'a', state: 'denied', createdAt: T0 + 920, decidedAt: T0 + 1_400 };
    const other = { ...approval, id: 'apr_2', createdAt: T0 + 9_000 };
    const turns = arrangeTurns(whole, [approval, other] as SessionApproval[], LATER);
    expect(spans(turns)).toContain('approval 920-1400 error');
    expect(turns[0]?.steps.filter(({ kind }) => kind === 'approval')).toHaveLength(1);
  });

  it('ends with the call that failed', () => {
    const error = { code: 'model.overloaded', message: 'busy', retry: { again: true } };
    const failed = facts([0, ...began(1)], [700, ...ended(1, { status: 'failed', error })]);
    const turns = arrangeTurns(failed, [], LATER);
    expect(spans(turns)).toEqual(['model 0-700 error']);
    expect(turns[0]).toMatchObject({ status: 'failed', error: { code: 'model.overloaded' } });
    const refused = { ...error, code: 'store.busy' };
    const other = facts([0, ...began(1)], [700, ...ended(1, { status: 'failed', error: refused })]);
    expect(spans(arrangeTurns(other, [], LATER))).toEqual(['error 700-700 error']);
  });
});

describe('a turn that has not ended', () => {
  const open = facts([0, ...began(1)], [500, ...spent({ ms: 400 })], [510, ...started('a')]);

  it('goes on until now while it is heard of', () => {
    const now = T0 + 4_000;
    expect(isRunning(open, now)).toBe(true);
    const turns = arrangeTurns(open, [], now);
    expect(turns[0]).toMatchObject({ status: 'running', end: now });
    expect(spans(turns)?.at(-1)).toBe('tool 510-4000 open');
    expect(spans(arrangeTurns(open.slice(0, 2), [], now))?.at(-1)).toBe('model 500-4000 open');
  });

  it('ends with its last fact when its process is gone', () => {
    expect(isRunning(open, LATER)).toBe(false);
    const turns = arrangeTurns(open, [], LATER);
    expect(turns[0]).toMatchObject({ status: 'unended', end: T0 + 510 });
    expect(spans(turns)?.at(-1)).toBe('tool 510-510 cut');
  });

  it('does not take the message of the next one', () => {
    const next = facts([0, ...began(1)], [500, ...spent()], [9_000, ...said('m2')], [9_000, ...began(2)]);
    const turns = arrangeTurns(next, [], LATER);
    expect(turns[0]).toMatchObject({ status: 'unended', end: T0 + 500 });
    expect(turns[1]).toMatchObject({ message: 'm2' });
  });
});

it('marks turns that were taken back, and keeps what happened between two', () => {
  const compacted = { how: 'digested', before: 900, after: 300, archived: 7 };
  const turns = arrangeTurns(
    facts(
      [0, ...began(1)],
      [10, ...ended(1)],
      [20, ...began(2)],
      [30, ...ended(2)],
      [40, 'context.compacted', compacted],
      [50, ...began(2)],
      [60, ...ended(2)],
    ),
    [],
    LATER,
  );
  expect(turns.map(({ number, undone, status }) => [number, undone, status])).toEqual([
    [1, false, 'done'],
    [2, true, 'done'],
    [0, false, 'between'],
    [2, false, 'done'],
  ]);
  expect(spans(turns, 2)).toEqual(['compaction 40-40 done']);
});

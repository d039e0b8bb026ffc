import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import type {
  Execution,
  IncidentFact,
  IncidentFacts,
  IncidentSummary,
  ProposedAction,
  Recovery,
} from '#spec/data';
import type { IncidentHistory } from '#spec/ports';
import { digestOf } from './digest.ts';
import { digestMarkdown } from './digest-markdown.ts';

const MINUTE = 60_000;
const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 2, day, hour, minute);

/** An incident whose trouble starts at `start`, which is opened a minute later. */
function history(
  id: string,
  start: number,
  more: Partial<IncidentSummary> = {},
  tell: (
    fact: <K extends keyof IncidentFacts>(time: number, type: K, data: IncidentFacts[K]) => void,
  ) => void = () => undefined,
  deliveries = 1,
): IncidentHistory {
  const facts: IncidentFact[] = [];
  tell((time, type, data) => {
    const seq = facts.length + 1;
    facts.push({
      id: `${id}:${seq}`,
      seq,
      at: new Date(time).toISOString(),
      stream: id,
      type,
      data,
    } as IncidentFact);
  });
  const incident: IncidentSummary = {
    id,
    title: `trouble ${id}`,
    severity: 'P2',
    state: 'investigating',
    services: [],
    startsAt: new Date(start).toISOString(),
    alerts: 1,
    firing: 1,
    createdAt: start + MINUTE,
    updatedAt: start + MINUTE,
    ...more,
  };
  return { incident, deliveries, facts };
}

const action = (id: string, operation: ProposedAction['operation']): ProposedAction => ({
  id,
  operation,
  service: 'payments',
  params: {},
  risk: 'safe_write',
  reason: asText(''),
  evidence: [],
  confirmTwice: false,
  separateApprover: false,
  rules: [],
});
const execution = (key: string, status: Execution['status'] = 'done'): Execution => ({
  status,
  executor: 'x',
  key,
  startedAt: 0,
  endedAt: 0,
  detail: asText(''),
  reconciled: false,
});
const recovery = (status: Recovery['status']): Recovery => ({
  status,
  checks: [],
  window: { start: '2026-03-01T00:00:00Z', end: '2026-03-01T00:00:00Z' },
  at: 0,
});

const CAUSED = { verdict: 'concluded', cause: 'deploy_regression', blamed: 'payments' } as const;

/** A restart that did not help, then a rollback that did, ten minutes after the start. */
const repaired = (id: string, start: number) =>
  history(
    id,
    start,
    { ...CAUSED, state: 'recovered', closedAt: start + 11 * MINUTE, alerts: 3 },
    (fact) => {
      fact(start + 2 * MINUTE, 'rca.concluded', { round: 1, summary: asText(''), confidence: 0.9 });
      fact(start + 2 * MINUTE, 'action.proposed', { action: action('a1', 'restart_deployment') });
      fact(start + 2 * MINUTE, 'approval.requested', { approval: 'p1', digest: '', expiresAt: 0 });
      fact(start + 3 * MINUTE, 'approval.granted', { approval: 'p1', by: 'ada', channel: 'user' });
      fact(start + 3 * MINUTE, 'execution.finished', { execution: execution(`${id}:a1`) });
      fact(start + 5 * MINUTE, 'recovery.failed', { recovery: recovery('not_recovered') });
      fact(start + 5 * MINUTE, 'action.proposed', { action: action('a2', 'rollback_canary') });
      fact(start + 5 * MINUTE, 'approval.requested', { approval: 'p2', digest: '', expiresAt: 0 });
      fact(start + 8 * MINUTE, 'approval.granted', { approval: 'p2', by: 'ada', channel: 'user' });
      fact(start + 8 * MINUTE, 'execution.finished', { execution: execution(`${id}:a2`) });
      fact(start + 10 * MINUTE, 'recovery.verified', { recovery: recovery('recovered') });
      fact(start + 12 * MINUTE, 'lesson.recorded', {
        lesson: { memories: ['m1', 'm2'], skill: `runbooks/${id}` },
      });
    },
    7,
  );

const WEEK = { from: at(2, 0), to: at(9, 0), zone: 'UTC' };

describe('digestOf', () => {
  const histories = [
    // Opened before this week, ended in it.
    history('old', at(1, 23, 50), { ...CAUSED, state: 'resolved', closedAt: at(2, 0, 30) }),
    repaired('one', at(2, 10)),
    repaired('two', at(4, 10)),
    history('odd', at(4, 12), { service: 'web', verdict: 'inconclusive' }, (fact) => {
      fact(at(4, 12, 2), 'rca.inconclusive', { round: 1, summary: asText(''), missing: [] });
      fact(at(4, 12, 3), 'approval.requested', { approval: 'p3', digest: '', expiresAt: 0 });
      fact(at(4, 12, 33), 'approval.expired', { approval: 'p3' });
    }),
    // It became part of another, which tells of it.
    history('part', at(4, 12), { state: 'closed', closedAt: at(4, 13), mergedInto: 'odd' }),
    // Opened in it, and gone on with after it.
    history('late', at(8, 23, 50), { ...CAUSED, state: 'recovered', closedAt: at(9, 1) }, (fact) => {
      fact(at(9, 0, 40), 'rca.concluded', { round: 1, summary: asText(''), confidence: 0.9 });
    }),
  ];
  const week = digestOf({ ...WEEK, histories });

  it('counts what happened in the time, and only that', () => {
    expect(week.opened).toEqual(['one', 'two', 'odd', 'late']);
    expect(week.ended).toEqual({ recovered: ['one', 'two'], resolved: ['old'], closed: [] });
    expect(week.inconclusive).toEqual(['odd']);
    expect(week.approvals.granted).toEqual(['one', 'one', 'two', 'two']);
    expect(week.approvals.expired).toEqual(['odd']);
    expect(week.services).toEqual([
      { service: 'payments', incidents: ['one', 'two', 'late'] },
      { service: 'web', incidents: ['odd'] },
    ]);
    expect(week.causes.map(({ cause, incidents }) => [cause, incidents.length])).toEqual([
      ['deploy_regression', 3],
      ['unknown', 1],
    ]);
    expect(week.repeated).toEqual([
      { service: 'payments', cause: 'deploy_regression', incidents: ['one', 'two', 'late'] },
    ]);
  });

  it('tells how long things took, by the middle and by nine of ten', () => {
    const { detect, diagnose, decide, recover } = week.times;
    expect([detect.median, detect.p90]).toEqual([MINUTE, MINUTE]);
    // That of `late` was found after this week.
    expect(diagnose.values).toEqual([
      { incident: 'one', ms: MINUTE },
      { incident: 'two', ms: MINUTE },
    ]);
    expect(decide.values.map(({ ms }) => ms / MINUTE)).toEqual([1, 1, 3, 3]);
    expect([decide.median, decide.p90]).toEqual([2 * MINUTE, 3 * MINUTE]);
    expect([recover.median, recover.p90]).toEqual([10 * MINUTE, 10 * MINUTE]);
    expect(digestOf({ ...WEEK, histories: [] }).times.recover).toEqual({ values: [] });
  });

  it('tells which actions helped, by the verification that followed each', () => {
    expect(week.done).toEqual([
      {
        operation: 'restart_deployment',
        incidents: ['one', 'two'],
        recovered: [],
        notRecovered: ['one', 'two'],
      },
      {
        operation: 'rollback_canary',
        incidents: ['one', 'two'],
        recovered: ['one', 'two'],
        notRecovered: [],
      },
    ]);
    expect(week.notRecovered.map(({ incident, operation, status }) => [incident, operation, status])).toEqual(
      [
        ['one', 'restart_deployment', 'not_recovered'],
        ['two', 'restart_deployment', 'not_recovered'],
      ],
    );
    const broken = history('sad', at(3, 1), {}, (fact) => {
      fact(at(3, 2), 'action.proposed', { action: action('a1', 'flush_cache') });
      fact(at(3, 3), 'execution.finished', { execution: execution('sad:a1', 'failed') });
    });
    const { done, notRecovered } = digestOf({ ...WEEK, histories: [broken] });
    expect(done).toEqual([]);
    expect(notRecovered).toMatchObject([{ incident: 'sad', operation: 'flush_cache', status: 'failed' }]);
  });

  it('tells the noise and what was learned', () => {
    expect(week.noise).toMatchObject({ alerts: 8, deliveries: 16 });
    expect(week.noise.loudest.map(({ incident }) => incident)).toEqual(['one', 'two', 'odd', 'late']);
    expect(week.learned).toMatchObject({
      lessons: ['one', 'two'],
      memories: 4,
      skills: [
        { name: 'runbooks/one', incident: 'one' },
        { name: 'runbooks/two', incident: 'two' },
      ],
    });
    const edit = { skill: 'roll-back', action: 'improved', by: 'learning' } as const;
    const edits = [
      { ...edit, at: at(3, 0) },
      { ...edit, at: at(10, 0) },
    ];
    expect(digestOf({ ...WEEK, histories: [], edits }).learned.edits).toEqual([edits[0]]);
  });

  it('adds up: the days of a week are the week', () => {
    const days = Array.from({ length: 7 }, (_, index) =>
      digestOf({ from: at(2 + index, 0), to: at(3 + index, 0), zone: 'UTC', histories }),
    );
    const all = (count: (digest: typeof week) => number) => days.reduce((sum, day) => sum + count(day), 0);
    expect(all(({ opened }) => opened.length)).toBe(week.opened.length);
    expect(all(({ ended }) => ended.recovered.length)).toBe(week.ended.recovered.length);
    expect(all(({ times }) => times.decide.values.length)).toBe(week.times.decide.values.length);
    expect(all(({ notRecovered }) => notRecovered.length)).toBe(week.notRecovered.length);
    expect(week.buckets.map(({ opened, ended }) => [opened.length, ended.length])).toEqual([
      [1, 2],
      [0, 0],
      [2, 1],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
    ]);
    expect(week.buckets[0]?.recoverMs).toBe(10 * MINUTE);
    expect(days[0]?.buckets).toHaveLength(24);
  });

  it('has days as long as they are where the clocks change', () => {
    // In Berlin the 29th of March 2026 has 23 hours.
    const from = Date.parse('2026-03-28T00:00:00+01:00');
    const to = Date.parse('2026-03-31T00:00:00+02:00');
    const { buckets } = digestOf({ from, to, zone: 'Europe/Berlin', histories: [] });
    expect(buckets.map(({ start, end }) => (end - start) / 3_600_000)).toEqual([24, 23, 24]);
    const kolkata = digestOf({
      from: Date.parse('2026-03-28T00:00:00+05:30'),
      to: Date.parse('2026-03-31T00:00:00+05:30'),
      zone: 'Asia/Kolkata',
      histories: [],
    });
    expect(kolkata.buckets).toHaveLength(3);
    expect(new Date(kolkata.buckets[1]?.start ?? 0).toISOString()).toBe('2026-03-28T18:30:00.000Z');
  });
});

describe('digestMarkdown', () => {
  const digest = digestOf({ ...WEEK, histories: [repaired('one', at(2, 10)), repaired('two', at(4, 10))] });

  it('tells the same numbers in both languages', () => {
    const english = digestMarkdown(digest, 'en');
    expect(english).toMatch(/^# Incident digest: 2026-03-02 – 2026-03-08 \(UTC\)\n/);
    expect(english).toContain('- Opened: **2**');
    expect(english).toContain('- Ended: **2** (recovered 2)');
    expect(english).toContain('| Decide (request → answer) | 4 | 2 min | 3 min |');
    expect(english).toContain('| payments | deploy regression | 2 | `one`, `two` |');
    expect(english).toContain('| `restart_deployment` | 2 | 0 | 2 |');
    expect(english).toContain('- 2 lessons, 4 memories');
    const chinese = digestMarkdown(digest, 'zh');
    expect(chinese).toMatch(/^# 事故摘要: 2026-03-02/);
    expect(chinese).toContain('| 决策(请求 → 答复) | 4 | 2 分 | 3 分 |');
    expect(chinese.match(/^## /gm)).toHaveLength(english.match(/^## /gm)?.length ?? 0);
  });

  it('lets no title become a heading, a link or a cell', () => {
    const title = '| x | [a](https://evil.example)\n# head <img src=x>';
    const hostile = digestOf({ ...WEEK, histories: [history('bad', at(3, 1), { title })] });
    const markdown = digestMarkdown(hostile, 'en');
    expect(markdown).toContain('bad');
    expect(markdown).not.toMatch(/(?<!\\)\]\(https|<img|^# head/m);
    const row = markdown.split('\n').find((line) => line.startsWith('| `bad` |')) ?? '';
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
  });

  it('says that nothing happened', () => {
    expect(digestMarkdown(digestOf({ ...WEEK, histories: [] }), 'en')).toContain('Nothing happened');
  });
});

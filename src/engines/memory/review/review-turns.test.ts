import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as adapters from '#adapters/store';
import { LIN, type MemoryHome, memoryHome } from '#support/engines/memory/memory-home';
import { memoryWriter } from '../memory-writer.ts';
import { memoryTools } from '../tools/memory-tools.ts';
import { correctionIn } from './corrections.ts';
import { decideWrites, type ReviewedTurn } from './decide-writes.ts';
import type { ReviewRequest } from './review-request.ts';
import { reviewTurns, type RunReview } from './review-turns.ts';

let home: MemoryHome;
beforeEach(async () => {
  home = await memoryHome(adapters);
});
afterEach(() => home.close());

let number = 0;
const turn = (said: string, answered = 'ok'): ReviewedTurn => ({
  session: 's',
  turn: ++number,
  said,
  answered,
  at: 1,
});

function open({
  runReview,
  staged = false,
  every = 3,
}: {
  runReview?: RunReview;
  staged?: boolean;
  every?: number;
} = {}) {
  const now = () => home.clock;
  const { notebooks, memory } = home;
  const deps = { notebooks, memory, view: LIN, now, ...(staged ? { staged: home.database.staged } : {}) };
  return reviewTurns({
    every,
    writer: memoryWriter({ ...deps, language: 'en', why: 'a look back at the conversation' }),
    tools: () => memoryTools(deps),
    ...(runReview ? { runReview } : {}),
  });
}

describe('reviewTurns', () => {
  it('is due after so many turns, and later when the model kept something itself', () => {
    const reviewer = open();
    expect([1, 2, 3].map(() => reviewer.ended(turn('hi')))).toEqual([false, false, true]);
    reviewer.wrote();
    expect(reviewer.ended(turn('hi'))).toBe(false);
  });

  it('writes by rules where there is no model', async () => {
    const reviewer = open();
    reviewer.ended(turn('记住 coupon-service 高峰期必须先降级'));
    reviewer.ended(turn('I prefer short answers'));
    reviewer.ended(turn('no, use db-2 instead', 'I looked at db-1'));
    reviewer.ended(turn('remember that the vpn drops after 30 minutes'));
    reviewer.ended(turn('remember that password=hunter2'));
    reviewer.ended(turn('hello'));
    const report = await reviewer.review();
    expect(report).toMatchObject({ by: 'rules', turns: 6, cancelled: false });
    expect(report.written).toHaveLength(4);
    expect((await home.notebooks.read(LIN, 'user')).entries).toEqual(['I prefer short answers']);
    expect((await home.notebooks.read(LIN, 'memory')).entries).toEqual(['the vpn drops after 30 minutes']);
    const kept = (await home.memory.list(LIN)).map(
      ({ kind, scope, text, provenance }) => `${kind} of ${scope} by ${provenance.by}: ${text}`,
    );
    expect(kept.toSorted()).toEqual([
      'governance_rule of team by rule: coupon-service 高峰期必须先降级',
      'lesson of person/telegram/lin by rule: no, use db-2 instead',
    ]);
    expect(await reviewer.review()).toMatchObject({ turns: 0, written: [] });
  });

  it('stages its writes when the user wants that', async () => {
    const reviewer = open({ staged: true });
    reviewer.ended(turn('I prefer short answers'));
    expect((await reviewer.review()).written).toEqual([expect.stringMatching(/^Waiting for approval/)]);
    expect((await home.notebooks.read(LIN, 'user')).entries).toEqual([]);
    expect(await home.database.staged.list(['person/telegram/lin'])).toMatchObject([
      { target: 'notebook', tool: 'memory', why: 'a look back at the conversation' },
    ]);
  });

  it('gives a model the transcript without secrets, and only its tools', async () => {
    let seen: { request: ReviewRequest; tools: string[] } | undefined;
    const reviewer = open({
      runReview: async (request, tools) => {
        seen = { request, tools: tools.map(({ name }) => name) };
        return { written: ['one'] };
      },
    });
    reviewer.ended(turn('my key is sk-abcdefghijklmnop1234', 'x'.repeat(50_000)));
    reviewer.ended(turn('the last thing'));
    expect(await reviewer.review()).toEqual({ by: 'model', turns: 2, written: ['one'], cancelled: false });
    expect(seen?.tools).toEqual(['memory', 'memory_search', 'memory_cleanup']);
    expect(seen?.request.transcript).not.toContain('sk-abc');
    expect(seen?.request.transcript).toContain('the last thing');
    expect(seen?.request.transcript.length).toBeLessThan(24_000);
  });

  it('is given up for a new turn, and looks at the same turns again', async () => {
    const seen: string[] = [];
    const reviewer = open({
      runReview: (request, _, signal) => {
        seen.push(request.transcript);
        return new Promise((resolve, reject) => {
          if (seen.length > 1) resolve({ written: [] });
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    });
    reviewer.ended(turn('the first thing'));
    const first = reviewer.review();
    expect(reviewer.review()).toBe(first);
    reviewer.began();
    expect(await first).toMatchObject({ cancelled: true, written: [] });
    reviewer.ended(turn('the second thing'));
    expect(await reviewer.review()).toMatchObject({ cancelled: false, turns: 2 });
    expect(seen[1]).toMatch(/the first thing[\s\S]*the second thing/);
  });

  it('tells a failure and keeps the turns', async () => {
    let broken = true;
    const reviewer = open({
      runReview: async () => (broken ? Promise.reject(new Error('no model')) : { written: [] }),
    });
    reviewer.ended(turn('a thing'));
    expect(await reviewer.review()).toMatchObject({ error: 'no model', cancelled: false });
    broken = false;
    expect(await reviewer.review()).toMatchObject({ turns: 1 });
  });
});

describe('correctionIn', () => {
  it.each([
    'no, use db-2 instead',
    "That's wrong, it's called order-api",
    'use helm instead of kubectl',
    "don't restart the pod, use rollout restart",
    '不对,应该用 db-2',
    '不要重启,先看日志',
  ])('knows: %s', (text) => {
    expect(correctionIn(text)).toBe(text);
  });

  it.each([
    'no',
    'no problem',
    'should I use db-2 instead?',
    'use db-2',
    '不用了',
    '应该没问题吧,谢谢',
    'ok thanks',
  ])('takes no notice of: %s', (text) => {
    expect(correctionIn(text)).toBeUndefined();
  });
});

describe('decideWrites', () => {
  it.each([
    ['coupon-service must be degraded first at peak hours', 'entry'],
    ['only Lin may restart payment-db', 'entry'],
    ['the follow-up with my doctor is only on Mondays', 'notebook'],
    ['my-ex must never be given this number', 'notebook'],
    ['I must hand in my notice before payment-service goes live', 'notebook'],
    ['我必须先离开 payment-service 组', 'notebook'],
  ])('shares with the team no more than rules about services: %s', (said, to) => {
    expect(decideWrites(turn(`remember that ${said}`))).toMatchObject([{ to }]);
  });

  it('decides nothing about ordinary turns or whole documents', () => {
    for (const said of ['hello', 'what did we do last time?', `remember that ${'so '.repeat(400)}`])
      expect(decideWrites(turn(said))).toEqual([]);
  });
});

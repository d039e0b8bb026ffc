import { describe, expect, it } from 'vitest';
import type { Message, StoredMessage } from '#spec/data';
import { experienceOf, type FinishedTurn } from './experience-of.ts';
import { finishedTurn } from './finished-turn.ts';
import { isCorrection } from './judge-success.ts';

const user = (...texts: string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const says = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  origin: { provider: 'p', model: 'm', protocol: 'local' },
});
let made = 0;
const did = (name: string, input: unknown, text = 'ok', isError = false, wrapped?: string): Message[] => {
  const id = `c${++made}`;
  const call = { type: 'tool_call' as const, id, name: wrapped ?? name, arguments: JSON.stringify(input) };
  return [
    { role: 'assistant', content: [call], origin: { provider: 'p', model: 'm', protocol: 'local' } },
    { role: 'tool', callId: id, name, content: [{ type: 'text', text }], isError },
  ];
};

const turn = (messages: readonly Message[], more: Partial<FinishedTurn> = {}): FinishedTurn => ({
  session: 's',
  turn: 1,
  scope: 'person/cli/u',
  status: 'done',
  messages,
  calls: 3,
  tokens: 900,
  startedAt: 10,
  endedAt: 30,
  ...more,
});
const of = (given: FinishedTurn, secrets: readonly string[] = []) =>
  experienceOf(given, { versionOf: (name) => (name === 'known' ? '1.2.0' : undefined), secrets });

describe('experienceOf', () => {
  it('keeps the task, the calls and how they went', () => {
    const messages = [
      user('restart checkout-api', '<memory-context>\n- known: a skill\n</memory-context>'),
      ...did('skill_view', { name: 'known' }),
      ...did('service_restart', { service: 'checkout-api' }, 'refused\nbusy', true),
      ...did('service_drain', { service: 'checkout-api' }, 'drained'),
      ...did('service_restart', { service: 'checkout-api' }, 'restarted'),
      says('It is up again.'),
    ];
    expect(of(turn(messages))).toMatchObject({
      task: 'restart checkout-api',
      success: true,
      skill: { name: 'known', version: '1.2.0' },
      path: [
        { tool: 'service_restart', ok: false, summary: 'refused' },
        { tool: 'service_drain', ok: true },
        { tool: 'service_restart', ok: true, summary: 'restarted' },
      ],
      keyDecisions: [{ step: 1, why: 'service_restart failed: refused' }],
      toolCombos: [['service_drain', 'service_restart']],
      calls: 3,
      tokens: 900,
      durationMs: 20,
    });
  });

  it('takes a deferred tool for what it is', () => {
    const wrapped = did(
      'http_check',
      { name: 'http_check', arguments: { url: 'x' } },
      'ok',
      false,
      'tool_call',
    );
    expect(of(turn([user('check x'), ...wrapped, says('fine')]))?.path).toMatchObject([
      { tool: 'http_check', input: { url: 'x' } },
    ]);
  });

  it('is nothing when nothing was done', () => {
    expect(of(turn([user('hello'), says('hi')]))).toBeUndefined();
    expect(of(turn([user('what is there?'), ...did('skills_list', {}), says('much')]))).toBeUndefined();
  });

  it.each([
    ['the turn was interrupted', { status: 'aborted' as const }, did('a', {}), 'done'],
    ['the last call failed', {}, did('a', {}, 'no', true), 'done'],
    ['the answer says so', {}, did('a', {}), 'I could not reach the host.'],
    ['the answer says so in Chinese', {}, did('a', {}), '抱歉，无法连接'],
    [
      'the budget was used up',
      {},
      [...did('a', {}), user('[Hermes] This turn has used its 9 calls. Do not call any more tools.')],
      'done',
    ],
  ])('is no success when %s', (_, more, calls, said) => {
    expect(of(turn([user('x'), ...calls, says(said)], more))?.success).toBe(false);
  });

  it('leaves out secrets and long texts', () => {
    const input = {
      token: 'abc',
      header: 'bearer 0123456789abcdef',
      content: 'x'.repeat(5_000),
      name: 'hunter2-password',
    };
    const found = of(
      turn([user('use sk-abcdefghijklmnop now'), ...did('a', input, 'xoxb-1234567890-abc gone'), says('ok')]),
      ['hunter2-password'],
    );
    const text = JSON.stringify(found);
    expect(text).not.toMatch(/abcdefghijklmnop|0123456789abcdef|hunter2|xoxb|xxxxx|"abc"/);
    expect(found?.path[0]?.input).toMatchObject({ content: '[5000 characters]' });
  });
});

describe('finishedTurn', () => {
  it('adds up what the messages of a turn cost', () => {
    const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2, reasoning: 1 };
    const stored = [user('x'), says('y')].map((message, at) => ({
      message,
      at: 100 + at,
      usage,
    })) as unknown as StoredMessage[];
    const turnMade = finishedTurn(
      { session: 's', turn: 2, status: 'done', calls: 1, messages: stored },
      'team',
    );
    expect(turnMade).toMatchObject({ tokens: 40, startedAt: 100, endedAt: 101, scope: 'team' });
  });
});

describe('isCorrection', () => {
  it.each([
    'no, use the other cluster',
    'No.',
    "that's wrong",
    'That is not what I asked for',
    'it didn’t work'.replace('’', "'"),
    'still broken',
    '不对，应该先降级',
    '错了',
    '还是不行',
  ])('takes %j for one', (text) => expect(isCorrection(text)).toBe(true));
  it.each([
    'no problem, thanks',
    'No worries',
    'now restart cart-svc',
    'nothing else',
    'that worked',
    '不错',
    'not urgent: check the queue',
    'noted',
  ])('does not take %j for one', (text) => expect(isCorrection(text)).toBe(false));
});

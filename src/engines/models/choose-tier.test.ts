import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { chooseTier, estimateComplexity, type Tier } from './choose-tier.ts';

/** What people on call ask, and how much thought it needs. */
const ASKED: readonly (readonly [Tier, string])[] = [
  ['simple_qa', 'What time is it in UTC?'],
  ['simple_qa', 'hello'],
  ['simple_qa', ''],
  ['simple_qa', '现在几点?'],
  ['simple_qa', 'Who owns payment-service?'],
  ['skill_execution', 'Restart payment-service'],
  ['skill_execution', 'check the error budget'],
  ['skill_execution', '回滚支付服务'],
  ['skill_execution', '检查一下磁盘'],
  ['skill_execution', 'Why is the queue long?'],
  [
    'complex_reasoning',
    'Investigate why checkout returns 503, then compare it with the last deploy across all services',
  ],
  ['complex_reasoning', '分析为什么支付超时,首先检查所有服务,然后给出回滚步骤'],
  ['code_generation', 'Write a function that parses the log line'],
  ['code_generation', 'implement a script to rotate keys'],
  ['code_generation', '写一个脚本清理日志'],
  ['code_generation', '实现一个限流算法'],
];

describe('chooseTier', () => {
  it.each(ASKED)('%s: %s', (tier, text) => {
    expect(chooseTier(text)).toBe(tier);
  });

  it('takes a long message for more than a plain question', () => {
    expect(chooseTier('word '.repeat(30))).toBe('simple_qa');
    expect(chooseTier('word '.repeat(80))).toBe('skill_execution');
    expect(chooseTier('池'.repeat(200))).toBe('skill_execution');
  });

  it('takes a stack trace and a failed status for a sign of trouble', () => {
    expect(chooseTier('why? fix it')).toBe('skill_execution');
    expect(chooseTier('why? fix it\n    at handle (/app/pay.js:10:5)')).toBe('complex_reasoning');
    expect(chooseTier('why 503? fix it')).toBe('complex_reasoning');
  });

  it('measures from 0 to 1, and more the more is asked', () => {
    const asked = [
      '',
      'restart it',
      'investigate and restart it',
      'first investigate, then restart all services: 503',
    ];
    const measured = asked.map(estimateComplexity);
    expect(measured).toEqual(measured.toSorted((a, b) => a - b));
    expect([measured[0], estimateComplexity(asked.join(' ').repeat(100))]).toEqual([0, 1]);
  });

  it('says the same of the same words', () => {
    for (const [tier, text] of ASKED) expect([chooseTier(text), chooseTier(text)]).toEqual([tier, tier]);
  });

  it('reads a megabyte in its stride', () => {
    const start = cpuMs();
    for (const unit of ['write ', 'at x(', '\n ', '写', 'first all '])
      chooseTier(unit.repeat(1_000_000 / unit.length));
    expect(cpuMs() - start).toBeLessThan(3_000);
  });
});

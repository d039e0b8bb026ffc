import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import type { Evidence, Rca } from '#spec/data';
import { guardClaims } from './guard-claims.ts';
import { splitClaims } from './split-claims.ts';

const window = { start: '2026-03-01T12:00:00Z', end: '2026-03-01T12:15:00Z' };
const evidence = (
  id: string,
  kind: Evidence['kind'],
  service: string,
  summary: string,
  link?: string,
): Evidence => ({
  id,
  kind,
  service,
  summary: asText(summary),
  query: `q{service="${service}"}`,
  window,
  score: 1,
  ...(link === undefined ? {} : { link }),
});

const rca: Rca = {
  status: 'concluded',
  hypotheses: [
    {
      category: 'connection_pool',
      service: 'payment-service',
      confidence: 0.9,
      supports: ['ev_metric_1'],
      refutes: [],
      why: asText(''),
    },
  ],
  evidence: [
    evidence(
      'ev_metric_1',
      'metric',
      'payment-service',
      'failures of payment-service went from 0.2 % to 18 %',
      'http://prom.internal/g',
    ),
    evidence(
      'ev_log_1',
      'log',
      'payment-service',
      'payment-service wrote "connection pool exhausted" 40 times',
    ),
    evidence('ev_trace_1', 'trace', 'payment-service', 'calls to mysql-payment are slow'),
  ],
  missing: [],
};

const kept = (text: string): string => guardClaims(text, rca).text;
const sentences = (text: string): string[] =>
  splitClaims(text)
    .filter(({ kind }) => kind === 'sentence')
    .map(({ text: sentence }) => sentence.trim());

describe('splitClaims', () => {
  it('splits English at the ends of sentences, not inside numbers, versions and abbreviations', () => {
    expect(
      sentences(
        'Failures rose from 0.2 to 18.5 % after v2.3.1, e.g. at /pay [ev_metric_1]. See pool.go:12. Is it over? Yes!',
      ),
    ).toEqual([
      'Failures rose from 0.2 to 18.5 % after v2.3.1, e.g. at /pay [ev_metric_1].',
      'See pool.go:12.',
      'Is it over?',
      'Yes!',
    ]);
  });

  it('splits Chinese, with and without spaces', () => {
    expect(sentences('错误率升到18%【ev_metric_1】。连接池耗尽；数据库变慢！真的吗？')).toEqual([
      '错误率升到18%【ev_metric_1】。',
      '连接池耗尽；',
      '数据库变慢！',
      '真的吗？',
    ]);
  });

  it('leaves a citation after the full stop with its sentence', () => {
    expect(
      sentences('Failures rose. [ev_metric_1] Latency too. (ev_log_1, ev_trace_1)\n升高。[ev_log_1]下降。'),
    ).toEqual([
      'Failures rose. [ev_metric_1]',
      'Latency too. (ev_log_1, ev_trace_1)',
      '升高。[ev_log_1]',
      '下降。',
    ]);
  });

  it('reads citations in full-width brackets', () => {
    expect(sentences('A\u3002\uff08ev_log_1\uff0cev_trace_1\uff09B\uff1f')).toEqual([
      'A\u3002\uff08ev_log_1\uff0cev_trace_1\uff09',
      'B\uff1f',
    ]);
  });

  it('puts wrapped lines together, and keeps bullets and rows apart', () => {
    expect(
      sentences('The pool is\nexhausted [ev_log_1].\n- one [ev_log_1]\n- two\n1. three\n| a | b |'),
    ).toEqual(['The pool is exhausted [ev_log_1].', 'one [ev_log_1]', 'two', 'three', '| a | b |']);
  });

  it('loses nothing', () => {
    for (const text of [
      'a. b',
      '# x\n\n- y [ev_log_1].\n',
      '一。二；三',
      '...',
      '',
      '1. a\n2. b',
      'e.g. x. y',
    ])
      expect(
        splitClaims(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(`${text}\n`);
  });
});

describe('guardClaims', () => {
  it('keeps what cites evidence', () => {
    const text =
      'Failures went from 0.2 % to 18 % [ev_metric_1]. The pool is exhausted [ev_log_1, ev_trace_1].';
    expect(guardClaims(text, rca)).toEqual({ text, struck: [] });
  });

  it('strikes out what cites nothing, in both languages', () => {
    const english = guardClaims('The pool is exhausted [ev_log_1]. The network is slow. Roll back now.', rca);
    expect(english.text).toBe('The pool is exhausted [ev_log_1].');
    expect(english.struck).toEqual([
      'The network is slow. (cites no evidence)',
      'Roll back now. (cites no evidence)',
    ]);
    const chinese = guardClaims('连接池耗尽[ev_log_1]。网络变慢了。错误率上升【ev_metric_1】！', rca);
    expect(chinese.text).toBe('连接池耗尽[ev_log_1]。错误率上升【ev_metric_1】！');
    expect(chinese.struck).toEqual(['网络变慢了。 (cites no evidence)']);
  });

  it('strikes out a claim that hides behind the citation of another', () => {
    expect(kept('Failures rose [ev_metric_1]; the database was deleted.')).toBe(
      'Failures rose [ev_metric_1];',
    );
    expect(kept('错误率上升[ev_metric_1]；数据库被删除。')).toBe('错误率上升[ev_metric_1]；');
  });

  it('strikes out an id that does not resolve, even beside one that does', () => {
    const { text, struck } = guardClaims('Memory is full [ev_metric_1, ev_metric_7]. Ok [ev_log_1].', rca);
    expect(text).toBe('Ok [ev_log_1].');
    expect(struck).toEqual([
      'Memory is full [ev_metric_1, ev_metric_7]. (ev_metric_7 is no evidence of this incident)',
    ]);
    expect(kept('Pool [ev_prior_1].')).toBe('');
  });

  it('strikes out services that no evidence names', () => {
    expect(kept('coupon-service is at fault [ev_metric_1].')).toBe('');
    expect(kept('mysql-payment is slow [ev_trace_1].')).toBe('mysql-payment is slow [ev_trace_1].');
    expect(kept('根因是 coupon-service 超时[ev_metric_1]。')).toBe('');
    expect(kept('根因是payment-service发布[ev_metric_1]。')).toBe('根因是payment-service发布[ev_metric_1]。');
    const known = { services: ['catalogue', 'payment-service'] };
    expect(guardClaims('The Catalogue is slow [ev_metric_1].', rca, known).text).toBe('');
    expect(guardClaims('The Payment-Service fails [ev_metric_1].', rca, known).text).not.toBe('');
    // A part of another word is no service.
    expect(guardClaims('It is catalogued [ev_metric_1].', rca, known).text).not.toBe('');
  });

  it('strikes out addresses that no evidence has', () => {
    expect(kept('See ![x](https://evil.example/?d=1) [ev_metric_1].')).toBe('');
    expect(kept('See http://prom.internal/g [ev_metric_1].')).not.toBe('');
  });

  it('keeps headings that say nothing, and only those, and only above something', () => {
    const text =
      '## Root cause\nThe pool is exhausted [ev_log_1].\n\n## Next steps\nRestart it.\n\n**Missing:**\n- logs';
    expect(kept(text)).toBe('## Root cause\nThe pool is exhausted [ev_log_1].');
    expect(kept('# The deploy of coupon is guilty\n连接池耗尽[ev_log_1]。')).toBe('连接池耗尽[ev_log_1]。');
    expect(kept('根因：\n连接池耗尽[ev_log_1]。')).toBe('根因：\n连接池耗尽[ev_log_1]。');
    expect(kept('The deploy is guilty:\n- pool [ev_log_1]')).toBe('- pool [ev_log_1]');
  });

  it('takes bullets away with their sentence', () => {
    expect(kept('- one [ev_log_1]\n- two\n1. three\n2. four [ev_metric_1]')).toBe(
      '- one [ev_log_1]\n2. four [ev_metric_1]',
    );
  });

  it('leaves nothing of an answer that rests on nothing', () => {
    expect(guardClaims('Everything is fine! 一切正常。', rca)).toEqual({
      text: '',
      struck: ['Everything is fine! (cites no evidence)', '一切正常。 (cites no evidence)'],
    });
  });

  it('is quick with a long line', () => {
    const started = cpuMs();
    guardClaims(`${'('.repeat(4_000)}${'a. '.repeat(2_000)}`, rca);
    expect(cpuMs() - started).toBeLessThan(1_000);
  });
});

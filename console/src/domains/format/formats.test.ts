import { describe, expect, it } from 'vitest';
import { openFormats } from './formats.ts';
import { metricUnit } from './metric-unit.ts';

const en = openFormats('en', 'Europe/Berlin');
const zh = openFormats('zh', 'Asia/Shanghai');
const AT = Date.UTC(2026, 0, 2, 23, 30, 5);

describe('formats', () => {
  it.each([
    [0.593115, 'ratio', '59.3 %'],
    [658.95537, 'ms', '659 ms'],
    [14_094, 'ms', '14.1 s'],
    [21.7023, '/s', '21.7 /s'],
    [5 * 1024 ** 2, 'bytes', '5 MiB'],
    [1234567, '', '1,234,567'],
  ])('%s in %s is %s', (value, unit, text) => expect(en.quantity(value, unit)).toBe(text));

  it.each([
    [0, '0 ms'],
    [340, '340 ms'],
    [59_700, '1 min'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
  ])('%s ms lasts %s', (ms, text) => expect(en.duration(ms)).toBe(text));

  it('says when in both zones', () => {
    expect(en.full(AT)).toContain('00:30:05');
    expect(zh.full(AT)).toContain('07:30:05');
    expect(en.utc(AT)).toBe('2026-01-02 23:30:05 UTC');
  });

  it('names the day where it is not today, in the zone that is shown', () => {
    expect(en.time(AT)).toMatch(/3 Jan/);
    expect(en.time(Date.now())).toMatch(/^\d\d:\d\d:\d\d$/);
  });

  it('tells how long ago in the language that is chosen', () => {
    expect(en.ago(AT - 120_000, AT)).toBe('2 min ago');
    expect(zh.ago(AT - 120_000, AT)).toBe('2分钟前');
    expect(en.ago(AT + 7_200_000, AT)).toBe('in 2 hr');
  });
});

it.each([
  ['latency_p95_ms@v2.3.1', 'ms'],
  ['errors_503_per_second', '/s'],
  ['error_ratio', 'ratio'],
  ['requests_in_flight', ''],
])('%s is measured in "%s"', (metric, unit) => expect(metricUnit(metric)).toBe(unit));

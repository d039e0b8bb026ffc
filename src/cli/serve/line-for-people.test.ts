import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { logText } from '../text/log-text.ts';
import { lineForPeople } from './line-for-people.ts';
import { readLine } from '#host';

const shown = (record: object, language: 'en' | 'zh' = 'en') =>
  stripVTControlCharacters(lineForPeople(readLine(JSON.stringify(record)), logText[language]));
const at = '2026-11-16T07:12:05.120Z';

it('shows when, how much it matters, what happened and what is known of it, in both languages', () => {
  const line = {
    at,
    level: 'info',
    event: 'evidence.collected',
    incident: 'inc_1',
    round: 1,
    series: 42,
    pid: 7,
  };
  expect(shown(line)).toBe('2026-11-16 07:12:05 · evidence collected  incident=inc_1  round=1  series=42');
  expect(shown(line, 'zh')).toBe('2026-11-16 07:12:05 · 证据已收集  incident=inc_1  round=1  series=42');
});

it('shows why something failed below it, and a request by its route', () => {
  const failed = {
    at,
    level: 'error',
    event: 'part.failed',
    part: 'memory',
    code: 'store.full',
    error: 'no room',
  };
  expect(shown(failed)).toBe('2026-11-16 07:12:05 ✗ left out  part=memory\n  store.full: no room');
  const served = {
    at,
    level: 'warn',
    event: 'request.served',
    requestId: 'r',
    method: 'GET',
    route: '/x',
    status: 503,
    ms: 2,
  };
  expect(shown(served)).toBe('2026-11-16 07:12:05 ! GET  /x  503  ms=2');
});

it('lets nothing in a log steer the terminal, and shows what is no line of it as a text', () => {
  const record = { at, level: 'info', event: '\u001b[2J', 'a\u001b[9m': '\u009b5n' };
  const hostile = lineForPeople(readLine(JSON.stringify(record)), logText.en);
  for (const control of ['\u001b[2J', '\u001b[9m', '\u009b']) expect(hostile).not.toContain(control);
  expect(lineForPeople(readLine('{"at":'), logText.en)).toBe('"{\\"at\\":"');
});

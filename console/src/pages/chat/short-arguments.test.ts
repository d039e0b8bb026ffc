import { expect, it } from 'vitest';
import { shortArguments } from './short-arguments.ts';

it.each([
  ['{"path":"a.txt"}', 'a.txt'],
  ['{"command":"ls\\n -l","cwd":"/srv","background":true}', 'ls -l cwd=/srv background=true'],
  ['{"items":[1,2],"note":null}', '[1,2]'],
  ['{"count":3,"name":"x"}', 'count=3 name=x'],
  ['{"path": "hal', '{"path": "hal'],
  ['{}', ''],
])('%s is %s', (json, short) => expect(shortArguments(json)).toBe(short));

it('is short', () =>
  expect(shortArguments(JSON.stringify({ text: 'x'.repeat(5_000) })).length).toBeLessThan(100));

import pc from 'picocolors';
import { safeText } from '../chat/safe-text.ts';
import type { LogText } from '../text/log-text.ts';
import type { ReadLine } from '#host';

const FIRST = ['method', 'route', 'path', 'status'];
const APART = new Set([
  'at',
  'level',
  'event',
  'pid',
  'error',
  'code',
  'requestId',
  'bytes',
  'address',
  ...FIRST,
]);

/** A line as people read it: when, how much it matters, what, and the rest of what is known. */
export function lineForPeople({ text: line, record }: ReadLine, text: LogText): string {
  if (!record) return JSON.stringify(line);
  const { at, level, event, error, code } = record;
  const mark = level === 'error' ? pc.red('✗') : level === 'warn' ? pc.yellow('!') : pc.dim('·');
  const what = event === 'request.served' ? [] : [pc.bold(text.event(wordOf(event)))];
  const first = FIRST.flatMap((name) => (record[name] === undefined ? [] : [wordOf(record[name])]));
  const rest = Object.entries(record).flatMap(([name, value]) =>
    APART.has(name) || value === '' ? [] : [`${pc.dim(`${safeText(name)}=`)}${wordOf(value)}`],
  );
  const why =
    error === undefined ? '' : `\n  ${pc.red([code, error].filter(Boolean).map(wordOf).join(': '))}`;
  return `${pc.dim(wordOf(at).replace('T', ' ').slice(0, 19))} ${mark} ${[...what, ...first, ...rest].join('  ')}${why}`;
}

/** Nothing in a log may steer the terminal. */
export const wordOf = (value: unknown): string =>
  value === undefined ? '' : safeText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

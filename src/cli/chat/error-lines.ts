import type { ErrorRecord, NextStep } from '#spec/data';
import { source } from '../show-error.ts';
import type { Text } from '../text/index.ts';
import { safeLine } from './safe-text.ts';

/** A failure in one or two calm lines: what and who, then what to do. */
export function errorLines(error: ErrorRecord, { errors }: Text): string[] {
  const known = errors[error.code];
  const said = safeLine(error.message);
  const what = `${known.title}${safeLine(source(error.source)).replace(/^\(/, ' (')}`;
  const hint = error.hint ?? known.hint;
  const head =
    said && said !== known.title ? `${what}: ${said.length > 200 ? `${said.slice(0, 199)}…` : said}` : what;
  return hint ? [head, `→ ${safeLine(hint)}`] : [head];
}

/** A failed attempt and what is done about it, in one line. */
export function attemptLine(error: ErrorRecord, next: NextStep, { errors, attempt }: Text): string {
  const what = `${errors[error.code].title}${safeLine(source(error.source)).replace(/^\(/, ' (')}`;
  switch (next.kind) {
    case 'retry':
      return `${what}: ${attempt.retry((next.afterMs / 1_000).toFixed(1))}`;
    case 'rotate':
      return `${what}: ${attempt.rotate(safeLine(next.credential))}`;
    case 'failover':
      return `${what}: ${attempt.failover(safeLine(`${next.provider}/${next.model}`))}`;
    case 'stop':
      return what;
  }
}

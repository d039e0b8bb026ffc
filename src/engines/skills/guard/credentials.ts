import { findSecrets } from '#kit/find-secrets';
import { redact } from '#kit/redact';
import type { Sighting } from './rule.ts';
import type { TextLine } from './text-lines.ts';

/** What stands for a key in a document. */
const PLACEHOLDER =
  /x{4,}|\.{3}|…|\*{3,}|your|example|placeholder|redacted|dummy|fake|sample|test|<[\w -]{1,40}>|1234|abcd?e?f?|0{6,}|\$\{?\w/i;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]{2,12} )?PRIVATE KEY(?: BLOCK)?-----/;
const ASSIGNED =
  /\b(?:password|passwd|secret|api_?key|access_?token|auth_?token)\b["']?\s{0,3}[:=]\s{0,3}["']([A-Za-z0-9+/_=!@#%^&*-]{16,120})["']/i;
const IN_ADDRESS = /\b[a-z][a-z0-9+]{1,12}:\/\/[\w.-]{1,60}:([^\s@/"'<>${}[\]:]{6,80})@[\w.-]{3,}/i;

/** Credentials that somebody left in the text. They are nobody's attack, and nobody else's business. */
export function credentials(lines: readonly TextLine[]): Sighting[] {
  const seen = (line: TextLine, rule: string): Sighting => ({
    line: line.number,
    rule,
    severity: 'caution',
    text: redact(line.text).replace(ASSIGNED, '[redacted]').replace(IN_ADDRESS, '[redacted]'),
  });
  return lines.flatMap((line, index): Sighting[] => {
    if (PRIVATE_KEY.test(line.text)) {
      const next = `${line.text.split(PRIVATE_KEY)[1] ?? ''} ${lines[index + 1]?.text ?? ''}`;
      return /[A-Za-z0-9+/]{40,}/.test(next) ? [seen(line, 'credentials.private-key')] : [];
    }
    if (keys(line.text).some((key) => !PLACEHOLDER.test(key))) return [seen(line, 'credentials.key')];
    const value = ASSIGNED.exec(line.text)?.[1] ?? IN_ADDRESS.exec(line.text)?.[1];
    if (value === undefined || PLACEHOLDER.test(value) || !varied(value)) return [];
    return [seen(line, 'credentials.password')];
  });
}

/** What `redact` takes away, piece by piece. */
const keys = (text: string): string[] => findSecrets(text).map(({ start, end }) => text.slice(start, end));

/** Words of a language are no passwords that matter. */
const varied = (value: string): boolean =>
  new Set(value).size >= 8 &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  !/^[a-z]+(?:[-_][a-z]+)+\d{0,3}$/i.test(value);

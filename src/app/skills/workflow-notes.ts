import { parse, stringify } from 'yaml';
import { isRecord } from '#kit/is-record';

/** What stands between the part of a note that people read and the part that the next run reads. */
const DATA = '\n--- data\n';
const MOST_TOLD = 5;
const LONGEST_TEXT = 160;

/**
 * What a workflow keeps, as a note that people can read: the newest runs in a line each, and below them all of it in
 * YAML, which the next run takes up.
 */
export function noteOf(
  key: string,
  given: unknown,
  clean: (text: string) => string = (text) => text,
): string {
  if (typeof given === 'string') return given;
  // Cleaned before it is written: a mark in place of a secret must not change what the rest means.
  const value = mapTexts(given, clean);
  const data = stringify(value, { lineWidth: 0 }).trimEnd();
  const runs = Array.isArray(value) ? value.filter(isRecord) : [];
  if (runs.length === 0) return `${key}${DATA}${data}`;
  const told = runs.toReversed().slice(0, MOST_TOLD).map(runLine);
  const more = runs.length > MOST_TOLD ? [`(+${runs.length - MOST_TOLD})`] : [];
  return [`${key} × ${runs.length}`, ...told, ...more].join('\n') + DATA + data;
}

/** What such a note holds. A note that somebody wrote by hand, or an earlier version, is text or JSON. */
export function dataOf(text: string): unknown {
  const at = text.indexOf(DATA);
  const written = at < 0 ? text : text.slice(at + DATA.length);
  try {
    return at < 0 ? (JSON.parse(written) as unknown) : (parse(written, { maxAliasCount: 0 }) as unknown);
  } catch {
    return text;
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, change)]));
}

function runLine(run: Readonly<Record<string, unknown>>): string {
  const text = (name: string) =>
    typeof run[name] === 'string' ? run[name].replaceAll(/\s+/g, ' ').trim() : '';
  const when = text('at').slice(0, 16).replace('T', ' ');
  const said = text('text').slice(0, LONGEST_TEXT).toWellFormed();
  return `- ${[when, text('state')].filter(Boolean).join(' ')}${said ? `: ${said}` : ''}`;
}

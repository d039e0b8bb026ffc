import type { NotebookPlace } from './notebook-kinds.ts';

const BETWEEN = '\n§\n';
const RULE = '═'.repeat(46);

/** The entries of a notebook, oldest first; the same entry twice counts once. */
export function readEntries(text: string): string[] {
  const entries = text
    .replaceAll('\r\n', '\n')
    .replace(/^\ufeff/, '')
    .split(/\n§[ \t]*(?:\n|$)|^§[ \t]*\n/)
    .map((entry) => entry.trim());
  return [...new Set(entries)].filter(Boolean);
}

export const writeEntries = (entries: readonly string[]): string => entries.join(BETWEEN);

/** Characters that the entries take, with what stands between them. */
export const sizeOf = (entries: readonly string[]): number => writeEntries(entries).length;

const number = (value: number): string => value.toLocaleString('en');

/** How full it is, as `67% — 1,474/2,200 chars`. */
export function usageOf(used: number, limit: number): string {
  return `${Math.round((used / limit) * 100)}% — ${number(used)}/${number(limit)} chars`;
}

/** A notebook as the model reads it; empty without entries. */
export function renderNotebook(
  { title, limit }: Pick<NotebookPlace, 'title' | 'limit'>,
  entries: readonly string[],
): string {
  if (entries.length === 0) return '';
  return [RULE, `${title} [${usageOf(sizeOf(entries), limit)}]`, RULE, writeEntries(entries)].join('\n');
}

/** The first characters of an entry on one line. */
export function preview(entry: string, most = 80): string {
  const line = entry.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}

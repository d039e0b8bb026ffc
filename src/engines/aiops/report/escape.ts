import { escapeHtml as escapeSigns } from '#kit/escape-html';
import { plainLine, plainText } from './plain-text.ts';

/** Text and values of attributes; line breaks stay. */
export const escapeHtml = (text: string): string => escapeSigns(plainText(text));

/**
 * A line of text that Markdown shows as it is: no emphasis, link, image, code, heading, list, table cell, HTML or
 * address that becomes a link by itself. What is harmless inside a word (`a_b`, `v2.3.1`) stays readable.
 */
export function escapeMarkdown(text: string): string {
  return plainLine(text)
    .replace(/[\\`*[\]|~$#@]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/[&<>]/g, (sign) => escapeSigns(sign))
    .replace(/:\/\//g, ':\\/\\/')
    .replace(/\bwww\./gi, 'www\\.')
    .replace(/^[-+=](?=[\s=-]|$)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** Code within a line: fenced by more backticks than it holds. */
export function codeMarkdown(text: string, inTable: boolean): string {
  const line = plainLine(text) || ' ';
  const fence = longestRun(line) + 1;
  const ticks = '`'.repeat(fence);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  if (inTable && line.includes('\\|')) return entityCode(line);
  const shown = inTable ? line.replaceAll('|', '\\|') : line;
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

/** Readers of tables do not agree on a pipe after a backslash. A character by its number is never a mark. */
const entityCode = (line: string): string =>
  `<code>${line.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`)}</code>`;

/** A block of code, which nothing in it can end. */
export function fenceMarkdown(text: string, language = ''): string {
  const shown = plainText(text).replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  const ticks = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}${language}\n${shown}\n${ticks}`;
}

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** The address of a link in Markdown. Its text is escaped apart. */
export const linkMarkdown = (href: string): string =>
  href.replace(
    /[\s<>()\\|`*_[\]]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

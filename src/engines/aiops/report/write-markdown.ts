import { type Block, type Inline, inlines, type Line } from './block.ts';
import { codeMarkdown, escapeMarkdown, fenceMarkdown, linkMarkdown } from './escape.ts';
import { safeLink } from './plain-text.ts';
import { sparkline } from './sparkline.ts';

/** A report as Markdown. Charts become a line of bars for each series: Markdown has no pictures of its own. */
export function writeMarkdown(title: string, blocks: readonly Block[]): string {
  return `${[`# ${escapeMarkdown(title)}`, ...blocks.map(block)].join('\n\n')}\n`;
}

function block(part: Block): string {
  switch (part.kind) {
    case 'heading':
      return `${'#'.repeat(part.level)} ${escapeMarkdown(part.text)}`;
    case 'text':
      return line(part.text, false);
    case 'note':
      return `> ${line(part.text, false)}`;
    case 'list':
      return part.items.map((item) => `- ${line(item, false)}`).join('\n');
    case 'code':
      return fenceMarkdown(part.text, part.language);
    case 'table':
      return table(part);
    case 'chart':
      return part.chart.series
        .map(({ name, values }) => `- ${escapeMarkdown(name)}: ${codeMarkdown(sparkline(values), false)}`)
        .join('\n');
  }
}

function table({ head, rows, numbers = [] }: Extract<Block, { kind: 'table' }>): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(head.map((cell) => escapeMarkdown(cell))),
    row(head.map((_, index) => (numbers.includes(index) ? '--:' : '---'))),
    ...rows.map((cells) => row(cells.map((cell) => line(cell, true)))),
  ].join('\n');
}

const line = (text: Line, inTable: boolean): string =>
  inlines(text)
    .map((part) => inline(part, inTable))
    .join('');

function inline(part: Inline, inTable: boolean): string {
  if (typeof part === 'string') return keepEnds(part, escapeMarkdown(part));
  if ('code' in part) return codeMarkdown(part.code, inTable);
  if ('strong' in part) return `**${escapeMarkdown(part.strong)}**`;
  const href = safeLink(part.link);
  return href ? `[${escapeMarkdown(part.text)}](${linkMarkdown(href)})` : escapeMarkdown(part.link);
}

/** Escaping trims; a blank between two pieces of a line has to stay. */
const keepEnds = (text: string, escaped: string): string =>
  `${/^\s/.test(text) ? ' ' : ''}${escaped}${escaped && /\s$/.test(text) ? ' ' : ''}`;

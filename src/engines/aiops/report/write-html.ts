import { createHash } from 'node:crypto';
import { type Language, LOCALES } from '#kit/language';
import { type Block, type Inline, inlines, type Line } from './block.ts';
import { escapeHtml } from './escape.ts';
import { lineChart } from './line-chart.ts';
import { safeLink } from './plain-text.ts';
import { STYLE } from './style.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
/** Nothing is fetched and nothing runs, whatever the page holds: the one style is named by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A report as one file that needs no other. */
export function writeHtml(title: string, blocks: readonly Block[], language: Language): string {
  return `<!doctype html>
<html lang="${LOCALES[language]}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${blocks.map(block).join('\n')}
</main>
</body>
</html>
`;
}

function block(part: Block): string {
  switch (part.kind) {
    case 'heading':
      return `<h${part.level}>${escapeHtml(part.text)}</h${part.level}>`;
    case 'text':
      return `<p>${line(part.text)}</p>`;
    case 'note':
      return `<p class="note">${line(part.text)}</p>`;
    case 'list':
      return `<ul>${part.items.map((item) => `<li>${line(item)}</li>`).join('')}</ul>`;
    case 'code':
      return `<pre>${part.language === 'diff' ? diff(part.text) : escapeHtml(part.text)}</pre>`;
    case 'table':
      return table(part);
    case 'chart':
      return `<figure>${lineChart(part.chart)}</figure>`;
  }
}

function table({ head, rows, numbers = [] }: Extract<Block, { kind: 'table' }>): string {
  const kind = (index: number): string => (numbers.includes(index) ? ' class="number"' : '');
  const cells = (row: readonly Line[]): string =>
    row.map((cell, index) => `<td${kind(index)}>${line(cell)}</td>`).join('');
  // A table of two columns whose second has no name tells one thing: names and values.
  const pairs = head.length === 2 && head[1] === '';
  const top = pairs
    ? ''
    : `<thead><tr>${head.map((cell, index) => `<th${kind(index)}>${escapeHtml(cell)}</th>`).join('')}</tr></thead>`;
  const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n');
  return `<div class="scroll"><table${pairs ? ' class="pairs"' : ''}>${top}<tbody>${body}</tbody></table></div>`;
}

function diff(text: string): string {
  const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'place' };
  return text
    .split('\n')
    .map((row) => {
      const kind = kinds[row[0] ?? ''];
      return kind ? `<span class="${kind}">${escapeHtml(row)}</span>` : escapeHtml(row);
    })
    .join('\n');
}

const line = (text: Line): string => inlines(text).map(inline).join('');

function inline(part: Inline): string {
  if (typeof part === 'string') return escapeHtml(part);
  if ('code' in part) return `<code>${escapeHtml(part.code)}</code>`;
  if ('strong' in part) return `<strong>${escapeHtml(part.strong)}</strong>`;
  const href = safeLink(part.link);
  if (!href) return escapeHtml(part.link);
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${escapeHtml(part.text)}</a>`;
}

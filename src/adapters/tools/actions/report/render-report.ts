import { escapeHtml } from '#kit/escape-html';
import type { ReportBlock } from './report-blocks.ts';

export const REPORT_FORMATS = ['markdown', 'text', 'html', 'json'] as const;
type ReportFormat = (typeof REPORT_FORMATS)[number];

interface Report {
  readonly title: string;
  readonly note: string;
  readonly blocks: readonly ReportBlock[];
}

export function renderReport(report: Report, format: ReportFormat): string {
  switch (format) {
    case 'json':
      return JSON.stringify(report, undefined, 2);
    case 'html':
      return html(report);
    case 'text':
      return plainText(report);
    case 'markdown':
      return markdown(report);
  }
}

function markdown({ title, note, blocks }: Report): string {
  const parts = blocks.map((block) => `## ${block.heading}\n\n${markdownBody(block)}`);
  return [`# ${title}`, ...(note ? [note] : []), ...parts].join('\n\n');
}

const bar = (line: readonly string[]): string =>
  `| ${line.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;

function markdownBody(block: ReportBlock): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'table':
      return [bar(block.columns), bar(block.columns.map(() => '---')), ...block.rows.map(bar)].join('\n');
    case 'findings':
      return block.findings
        .map(({ severity, where, message, suggestion }) => {
          const hint = suggestion ? `\n  💡 ${suggestion}` : '';
          return `- **[${severity}]** ${where ? `${where} — ` : ''}${message}${hint}`;
        })
        .join('\n');
  }
}

function plainText({ title, note, blocks }: Report): string {
  const parts = blocks.map((block) => {
    const body =
      block.kind === 'table'
        ? block.rows
            .map((row) => block.columns.map((name, at) => `${name} ${row[at] ?? ''}`).join(', '))
            .join('\n')
        : markdownBody(block).replace(/^- \*\*\[(.+?)\]\*\*/gm, '[$1]');
    return `${block.heading}\n${body}`;
  });
  return [title, ...(note ? [note] : []), ...parts].join('\n\n');
}

const items = (list: readonly string[]): string =>
  `<ul>${list.map((item) => `<li>${item}</li>`).join('')}</ul>`;

function html({ title, note, blocks }: Report): string {
  const parts = blocks.map((block) => `<h2>${escapeHtml(block.heading)}</h2>\n${htmlBody(block)}`);
  return [`<h1>${escapeHtml(title)}</h1>`, ...(note ? [`<p>${escapeHtml(note)}</p>`] : []), ...parts].join(
    '\n',
  );
}

function htmlBody(block: ReportBlock): string {
  switch (block.kind) {
    case 'text':
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case 'list':
      return items(block.items.map(escapeHtml));
    case 'table': {
      const row = (line: readonly string[], tag: string) =>
        `<tr>${line.map((value) => `<${tag}>${escapeHtml(value)}</${tag}>`).join('')}</tr>`;
      return `<table>${row(block.columns, 'th')}${block.rows.map((line) => row(line, 'td')).join('')}</table>`;
    }
    case 'findings':
      return items(
        block.findings.map(
          ({ severity, where, message, suggestion }) =>
            `<b>[${escapeHtml(severity)}]</b> ${escapeHtml(where)} ${escapeHtml(message)}${suggestion ? `<br>${escapeHtml(suggestion)}` : ''}`,
        ),
      );
  }
}

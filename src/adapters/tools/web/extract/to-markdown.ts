import { dropHidden } from '#kit/hidden-characters';
import { ELEMENT, type PageNode, TEXT } from './page-node.ts';
import { tableLines } from './table-lines.ts';

/** Deeper than anything that people write; below it only the words are kept. */
const MOST_DEPTH = 150;
const SKIPPED = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT EMBED SVG CANVAS HEAD BUTTON SELECT INPUT TEXTAREA DIALOG'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BODY DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM HEADER HGROUP LI MAIN NAV OL P SECTION SUMMARY UL CENTER'.split(
    ' ',
  ),
);
const MARKS: Readonly<Record<string, string>> = {
  STRONG: '**',
  B: '**',
  EM: '*',
  I: '*',
  DEL: '~~',
  S: '~~',
};

interface Place {
  readonly base: string;
  readonly depth: number;
}

/** A part of a page as Markdown: headings, lists, links, code, quotes, tables. Addresses are made absolute. */
export function toMarkdown(root: PageNode, base: string): string {
  return tidy(blocks(root, { base, depth: 0 }));
}

const tidy = (text: string): string =>
  dropHidden(text)
    .replace(/(?<![ \t])[ \t]+\n/g, (end) => (end.startsWith('  \n') ? '  \n' : '\n'))
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The children of a node, each block apart from the others by an empty line. */
function blocks(node: PageNode, place: Place): string {
  const out: string[] = [];
  let line = '';
  const flush = () => {
    if (line.trim()) out.push(line.trim());
    line = '';
  };
  for (const child of node.childNodes) {
    const block = blockOf(child, deeper(place));
    if (block === undefined) {
      line += inline(child, deeper(place));
      continue;
    }
    flush();
    if (block.trim()) out.push(block);
  }
  flush();
  return out.join('\n\n');
}

const deeper = ({ base, depth }: Place): Place => ({ base, depth: depth + 1 });

/** Undefined for what stands within a line. */
function blockOf(node: PageNode, place: Place): string | undefined {
  if (node.nodeType !== ELEMENT) return undefined;
  const name = node.nodeName.toUpperCase();
  if (isSkipped(node, name)) return '';
  if (place.depth > MOST_DEPTH) return squeeze(node.textContent);
  const heading = /^H([1-6])$/.exec(name);
  if (heading) return headingLine(Number(heading[1]), inlines(node, place));
  if (name === 'PRE') return codeBlock(node);
  if (name === 'HR') return '---';
  if (name === 'BLOCKQUOTE') return prefixed(blocks(node, place), '> ');
  if (name === 'UL' || name === 'OL') return list(node, name === 'OL', place);
  if (name === 'TABLE')
    return tableLines(
      node,
      (cell) => inlines(cell, place),
      () => blocks(node, place),
    );
  if (/^T(?:BODY|HEAD|FOOT|R|D|H)$/.test(name)) return blocks(node, place);
  if (name === 'DT') return `**${inlines(node, place).trim()}**`;
  if (BLOCKS.has(name) || holdsBlocks(node)) return blocks(node, place);
  return undefined;
}

/** A link or a span around whole paragraphs is read as those paragraphs. */
const holdsBlocks = (node: PageNode): boolean =>
  node.querySelector?.('p,div,ul,ol,table,pre,blockquote,h1,h2,h3,h4,h5,h6') != null;

function isSkipped(node: PageNode, name: string): boolean {
  if (SKIPPED.has(name)) return true;
  if (node.getAttribute?.('hidden') != null || node.getAttribute?.('aria-hidden') === 'true') return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute?.('style') ?? '');
}

const headingLine = (level: number, text: string): string => {
  const words = text.replace(/\s+/g, ' ').trim();
  return words ? `${'#'.repeat(level)} ${words}` : '';
};

function list(node: PageNode, ordered: boolean, place: Place): string {
  let number = Number(node.getAttribute?.('start') ?? 1) || 1;
  const items: string[] = [];
  for (const child of node.childNodes) {
    if (child.nodeType !== ELEMENT || isSkipped(child, child.nodeName.toUpperCase())) continue;
    const mark = ordered ? `${number}. ` : '- ';
    const text = blocks(child, deeper(place)).replace(/\n\n(?=- |\d+\. )/g, '\n');
    if (!text.trim()) continue;
    items.push(mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`));
    number += 1;
  }
  return items.join('\n');
}

function codeBlock(node: PageNode): string {
  const text = node.textContent.replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd();
  if (!text.trim()) return '';
  const classes = `${node.getAttribute?.('class') ?? ''} ${node.querySelector?.('code')?.getAttribute?.('class') ?? ''}`;
  const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes)?.[1] ?? '';
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const prefixed = (text: string, prefix: string): string =>
  text.trim()
    ? text
        .split('\n')
        .map((line) => (prefix + line).trimEnd())
        .join('\n')
    : '';

function inlines(node: PageNode, place: Place): string {
  let text = '';
  for (const child of node.childNodes) text += inline(child, deeper(place));
  return text.replace(/ {2,}(?!\n)/g, ' ');
}

function inline(node: PageNode, place: Place): string {
  if (node.nodeType === TEXT) return node.textContent.replace(/\s+/g, ' ');
  if (node.nodeType !== ELEMENT) return '';
  const name = node.nodeName.toUpperCase();
  if (isSkipped(node, name)) return '';
  if (place.depth > MOST_DEPTH) return squeeze(node.textContent);
  if (name === 'BR') return '  \n';
  if (name === 'IMG') return image(node, place.base);
  if (name === 'CODE' || name === 'KBD' || name === 'SAMP' || name === 'TT')
    return codeSpan(node.textContent);
  const text = inlines(node, place);
  if (name === 'A') return link(node, text, place.base);
  return around(text, MARKS[name] ?? '');
}

/** Marks stand at the words, not at the blanks around them. */
function around(text: string, mark: string): string {
  const words = text.trim();
  return mark && words ? text.replace(words, () => mark + words + mark) : text;
}

function codeSpan(content: string): string {
  const text = squeeze(content);
  if (!text) return '';
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function link(node: PageNode, text: string, base: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  const href = node.getAttribute?.('href') ?? '';
  const url = href && !href.startsWith('#') ? URL.parse(href, base) : null;
  if (!words) return '';
  if (!url || !/^(?:https?|mailto):$/.test(url.protocol)) return text;
  return text.replace(text.trim(), () => `[${words}](${url.href})`);
}

function image(node: PageNode, base: string): string {
  const alt = squeeze(node.getAttribute?.('alt') ?? '');
  const url = URL.parse(node.getAttribute?.('src') ?? '', base);
  return alt && url && /^https?:$/.test(url.protocol) ? `![${alt}](${url.href})` : alt;
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();

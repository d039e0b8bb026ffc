/** A part of a text. `inline` holds marks that are read when it is shown. */
export type Block =
  | { readonly kind: 'paragraph'; readonly inline: string }
  | { readonly kind: 'heading'; readonly level: number; readonly inline: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string; readonly isOpen: boolean }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      readonly align: readonly ('left' | 'right' | 'center' | undefined)[];
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'rule' };

interface ListItem {
  /** Of a list of tasks. */
  readonly done?: boolean;
  readonly children: readonly Block[];
}

const DEEPEST = 8;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/;
const DELIMITER = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Reads Markdown. Whatever is not understood is a paragraph, HTML among it: nothing of the text is ever lost or run. */
export function parseMarkdown(text: string): Block[] {
  return parseLines(text.replaceAll('\r\n', '\n').split('\n'), 0);
}

function parseLines(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, length } = blockAt(lines, at, depth);
    if (block) blocks.push(block);
    at += length;
  }
  return blocks;
}

interface Taken {
  readonly block?: Block;
  readonly length: number;
}

function blockAt(lines: readonly string[], at: number, depth: number): Taken {
  const line = lines[at] ?? '';
  if (!line.trim()) return { length: 1 };
  const [, fence, language = ''] = FENCE.exec(line) ?? [];
  if (fence !== undefined) return code(lines, at, fence, language);
  const [, marks, words = ''] = HEADING.exec(line) ?? [];
  if (marks !== undefined)
    return { block: { kind: 'heading', level: marks.length, inline: closed(words) }, length: 1 };
  if (RULE.test(line)) return { block: { kind: 'rule' }, length: 1 };
  if (depth < DEEPEST && QUOTE.test(line)) return quote(lines, at, depth);
  if (depth < DEEPEST && ITEM.test(line)) return list(lines, at, depth);
  return table(lines, at) ?? paragraph(lines, at);
}

/** A heading may end with marks like those that it begins with. */
function closed(words: string): string {
  let end = words.trimEnd().length;
  while (words[end - 1] === '#') end--;
  return /\s/.test(words[end - 1] ?? '') ? words.slice(0, end).trimEnd() : words.trimEnd();
}

function code(lines: readonly string[], at: number, fence: string, language: string): Taken {
  const close = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
  const end = lines.findIndex((line, index) => index > at && close.test(line));
  const isOpen = end < 0;
  const inner = lines.slice(at + 1, isOpen ? lines.length : end);
  const indent = /^ */.exec(lines[at] ?? '')?.[0].length ?? 0;
  const setIn = new RegExp(`^ {0,${indent}}`);
  const text = inner.map((line) => line.replace(setIn, '')).join('\n');
  return { block: { kind: 'code', language, text, isOpen }, length: inner.length + (isOpen ? 1 : 2) };
}

function quote(lines: readonly string[], at: number, depth: number): Taken {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end] ?? '')) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''));
  return { block: { kind: 'quote', children: parseLines(inner, depth + 1) }, length: end - at };
}

function list(lines: readonly string[], at: number, depth: number): Taken {
  const [, , first = '-'] = ITEM.exec(lines[at] ?? '') ?? [];
  const ordered = /\d/.test(first);
  const items: ListItem[] = [];
  let end = at;
  while (end < lines.length) {
    const found = ITEM.exec(lines[end] ?? '');
    if (!found || /\d/.test(found[2] ?? '') !== ordered || RULE.test(lines[end] ?? '')) break;
    const taken = itemLines(lines, end, found[0].trimEnd().length + 1);
    items.push(itemOf(taken.lines, depth));
    end += taken.length;
  }
  const start = ordered ? Number.parseInt(first, 10) : undefined;
  return { block: { kind: 'list', start, items }, length: end - at };
}

/** What belongs to an item: everything that is set in, and lines that go on with its words. */
function itemLines(lines: readonly string[], at: number, indent: number) {
  const inner = [(lines[at] ?? '').replace(ITEM, '')];
  let end = at + 1;
  for (; end < lines.length; end++) {
    const line = untabbed(lines[end] ?? '');
    const isSetIn = /^ */.exec(line)?.[0].length ?? 0;
    if (!line.trim()) {
      const after = untabbed(lines[end + 1] ?? '');
      const goesOn = after.trim() && (/^ */.exec(after)?.[0].length ?? 0) >= 2;
      if (!goesOn && !ITEM.test(after)) break;
      inner.push('');
    } else if (isSetIn >= Math.min(indent, 2)) inner.push(line.slice(Math.min(isSetIn, indent)));
    else if (lines[end - 1]?.trim() && !beginsBlock(line)) inner.push(line);
    else break;
  }
  return { lines: inner, length: end - at };
}

/** Some set inner lists in with tabs. Other lines keep theirs: they may be code. */
const untabbed = (line: string): string =>
  line.replace(/^\t+(?=(?:[-*+]|\d{1,9}[.)])\s)/, (tabs) => '    '.repeat(tabs.length));

function itemOf(lines: readonly string[], depth: number): ListItem {
  const [, mark, rest = ''] = /^\[([ xX])\]\s+(.*)$/.exec(lines[0] ?? '') ?? [];
  const own = mark === undefined ? lines : [rest, ...lines.slice(1)];
  const children = parseLines(own, depth + 1);
  return mark === undefined ? { children } : { done: mark !== ' ', children };
}

const beginsBlock = (line: string): boolean =>
  !line.trim() ||
  FENCE.test(line) ||
  HEADING.test(line) ||
  RULE.test(line) ||
  QUOTE.test(line) ||
  ITEM.test(line);

function table(lines: readonly string[], at: number): Taken | undefined {
  const line = lines[at] ?? '';
  const delimiter = lines[at + 1] ?? '';
  if (!line.includes('|') || !delimiter.includes('-') || !DELIMITER.test(delimiter)) return undefined;
  const head = cells(line);
  const align = cells(delimiter).map((cell) => {
    if (/^:-+:$/.test(cell)) return 'center' as const;
    return cell.endsWith(':') ? ('right' as const) : cell.startsWith(':') ? ('left' as const) : undefined;
  });
  if (align.length !== head.length) return undefined;
  let end = at + 2;
  while (end < lines.length && lines[end]?.includes('|') && !FENCE.test(lines[end] ?? '')) end++;
  const rows = lines.slice(at + 2, end).map((row) => {
    const found = cells(row);
    return head.map((_, index) => found[index] ?? '');
  });
  return { block: { kind: 'table', align, head, rows }, length: end - at };
}

/** A bar inside code or behind a backslash is part of a cell. */
function cells(line: string): string[] {
  const found: string[] = [];
  let cell = '';
  let isCode = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === '\\' && line[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (char === '|' && !isCode) {
      found.push(cell);
      cell = '';
    } else {
      if (char === '`') isCode = !isCode;
      cell += char;
    }
  }
  found.push(cell);
  if (!found[0]?.trim()) found.shift();
  if (found.length && !found.at(-1)?.trim()) found.pop();
  return found.map((each) => each.trim());
}

function paragraph(lines: readonly string[], at: number): Taken {
  let end = at + 1;
  while (end < lines.length && !beginsBlock(lines[end] ?? '') && !table(lines, end)) end++;
  return { block: { kind: 'paragraph', inline: lines.slice(at, end).join('\n').trim() }, length: end - at };
}

/** A stretch of a line. Whatever is not understood is text, as it was written. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'struck'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly to: string; readonly children: readonly Inline[] }
  | { readonly kind: 'break' };

/** Marks inside marks, no deeper than this: a text made to be slow is only text. */
const DEEPEST = 6;
const MOST = 20_000;
/** So far away is the end of a mark looked for. */
const FARTHEST = 2_000;
const FARTHEST_BRACKET = 500;

const ESCAPED = /^\\([!-/:-@[-`{-~])/;
const ADDRESS = /^https?:\/\/[^\s<>"'`|]+/;
/** What follows an address in a sentence and is no part of it. */
const SENTENCE_END = /[)\].,;:!?*_'"，。；：！？）】」』”’]+$/u;
const MARKS = [
  { mark: '**', kind: 'strong' },
  { mark: '__', kind: 'strong' },
  { mark: '~~', kind: 'struck' },
  { mark: '*', kind: 'emphasis' },
  { mark: '_', kind: 'emphasis' },
] as const;
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** The marks in a piece of text: code, bold, italic, struck, links and bare addresses. There is no HTML. */
export function parseInline(source: string, depth = 0): Inline[] {
  if (depth > DEEPEST || source.length > MOST) return [{ kind: 'text', text: source }];
  const found: Inline[] = [];
  let plain = '';
  const put = (inline: Inline): void => {
    if (plain) found.push({ kind: 'text', text: plain });
    plain = '';
    found.push(inline);
  };
  for (let at = 0; at < source.length; ) {
    const step = next(source, at, depth);
    if (step.inline) put(step.inline);
    else plain += step.text;
    at += step.length;
  }
  if (plain) found.push({ kind: 'text', text: plain });
  return found;
}

interface Step {
  readonly length: number;
  readonly inline?: Inline;
  readonly text?: string;
}

function next(source: string, at: number, depth: number): Step {
  const char = source[at] ?? '';
  const rest = source.slice(at, at + FARTHEST);
  if (char === '\\') {
    const [, escaped] = ESCAPED.exec(rest) ?? [];
    if (escaped !== undefined) return { length: 2, text: escaped };
    if (rest[1] === '\n') return { length: 2, inline: { kind: 'break' } };
  }
  if (char === '\n')
    return rest.length && source.slice(0, at).endsWith('  ')
      ? { length: 1, inline: { kind: 'break' } }
      : { length: 1, text: '\n' };
  if (char === '`') return code(rest) ?? { length: 1, text: char };
  if (char === '[') return link(rest, depth) ?? { length: 1, text: char };
  if (char === 'h' && !isWord(source[at - 1])) return address(rest) ?? { length: 1, text: char };
  if (char === '<') {
    const inner = rest[1] === 'h' ? ADDRESS.exec(rest.slice(1))?.[0] : undefined;
    if (inner !== undefined && rest[inner.length + 1] === '>')
      return {
        length: inner.length + 2,
        inline: { kind: 'link', to: inner, children: [{ kind: 'text', text: inner }] },
      };
  }
  return marked(source, at, rest, depth) ?? { length: 1, text: char };
}

function code(rest: string): Step | undefined {
  const [ticks = ''] = /^`+/.exec(rest) ?? [];
  const end = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest.slice(ticks.length));
  if (!end) return { length: ticks.length, text: ticks };
  const inner = rest.slice(ticks.length, ticks.length + end.index).replaceAll('\n', ' ');
  const trimmed = /^ .*[^ ].* $|^ [^ ] $/.test(inner) ? inner.slice(1, -1) : inner;
  return { length: ticks.length * 2 + end.index, inline: { kind: 'code', text: trimmed } };
}

function link(rest: string, depth: number): Step | undefined {
  const close = closing(rest, '[', ']');
  if (close < 0 || rest[close + 1] !== '(') return undefined;
  const end = closing(rest.slice(close + 1), '(', ')');
  if (end < 0) return undefined;
  const [to = ''] = rest
    .slice(close + 2, close + 1 + end)
    .trim()
    .split(/\s/, 1);
  const children = parseInline(rest.slice(1, close), depth + 1);
  return { length: close + 2 + end, inline: { kind: 'link', to: to.replace(/^<(.*)>$/, '$1'), children } };
}

/** Where the bracket that opens at the beginning is closed; -1 where it is not. */
function closing(text: string, open: string, close: string): number {
  let depth = 0;
  for (let at = 0; at < Math.min(text.length, FARTHEST_BRACKET); at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at;
    else if (text[at] === '\n' && text[at + 1] === '\n') return -1;
  }
  return -1;
}

function address(rest: string): Step | undefined {
  const found = ADDRESS.exec(rest)?.[0].replace(SENTENCE_END, '');
  if (!found) return undefined;
  return {
    length: found.length,
    inline: { kind: 'link', to: found, children: [{ kind: 'text', text: found }] },
  };
}

function marked(source: string, at: number, rest: string, depth: number): Step | undefined {
  for (const { mark, kind } of MARKS) {
    if (!rest.startsWith(mark)) continue;
    const first = rest[mark.length];
    if (first === undefined || /\s/.test(first)) continue;
    // `snake_case_name` is a word.
    if (mark.includes('_') && isWord(source[at - 1])) continue;
    const end = endOf(rest, mark);
    if (end < 0) continue;
    const children = parseInline(rest.slice(mark.length, end), depth + 1);
    return { length: end + mark.length, inline: { kind, children } };
  }
  return undefined;
}

function endOf(rest: string, mark: string): number {
  for (let from = mark.length; ; ) {
    const end = rest.indexOf(mark, from);
    if (end < 0) return -1;
    const isLonger = mark.length === 1 && (rest[end + 1] === mark || rest[end - 1] === mark);
    const isInWord = mark.includes('_') && isWord(rest[end + mark.length]);
    if (end > mark.length && !/\s/.test(rest[end - 1] ?? ' ') && !isLonger && !isInWord) return end;
    from = end + (isLonger ? 2 : 1);
  }
}

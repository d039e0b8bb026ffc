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

/** Everything up to the next character that may mean something. */
const PLAIN = /[^\\\n`[<*_~h]+/y;
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
  const stretch: Stretch = { source, depth, closings: closingBrackets(source), ends: new Map() };
  for (let at = 0; at < source.length; ) {
    const step = next(stretch, at);
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

/** What is read, how deep it stands in other marks, and where its brackets and marks end: each is looked for once. */
interface Stretch {
  readonly source: string;
  readonly depth: number;
  readonly closings: ReadonlyMap<number, number>;
  readonly ends: Map<string, Int32Array>;
}

function next(stretch: Stretch, at: number): Step {
  const { source } = stretch;
  PLAIN.lastIndex = at;
  const [plain] = PLAIN.exec(source) ?? [];
  if (plain !== undefined) return { length: plain.length, text: plain };
  const char = source[at] ?? '';
  const rest = source.slice(at, at + FARTHEST);
  if (char === '\\') {
    const [, escaped] = ESCAPED.exec(rest) ?? [];
    if (escaped !== undefined) return { length: 2, text: escaped };
    if (rest[1] === '\n') return { length: 2, inline: { kind: 'break' } };
  }
  if (char === '\n')
    return source[at - 1] === ' ' && source[at - 2] === ' '
      ? { length: 1, inline: { kind: 'break' } }
      : { length: 1, text: '\n' };
  if (char === '`') return code(rest) ?? { length: 1, text: char };
  if (char === '[') return link(stretch, at) ?? { length: 1, text: char };
  if (char === 'h' && !isWord(source[at - 1])) return address(rest) ?? { length: 1, text: char };
  if (char === '<') {
    const inner = rest[1] === 'h' ? ADDRESS.exec(rest.slice(1))?.[0] : undefined;
    if (inner !== undefined && rest[inner.length + 1] === '>')
      return {
        length: inner.length + 2,
        inline: { kind: 'link', to: inner, children: [{ kind: 'text', text: inner }] },
      };
  }
  return marked(stretch, at) ?? { length: 1, text: char };
}

function code(rest: string): Step | undefined {
  const [ticks = ''] = /^`+/.exec(rest) ?? [];
  const end = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest.slice(ticks.length));
  if (!end) return { length: ticks.length, text: ticks };
  const inner = rest.slice(ticks.length, ticks.length + end.index).replaceAll('\n', ' ');
  const trimmed = /^ .*[^ ].* $|^ [^ ] $/.test(inner) ? inner.slice(1, -1) : inner;
  return { length: ticks.length * 2 + end.index, inline: { kind: 'code', text: trimmed } };
}

function link({ source, depth, closings }: Stretch, at: number): Step | undefined {
  const close = closings.get(at);
  if (close === undefined || source[close + 1] !== '(') return undefined;
  const end = closings.get(close + 1);
  if (end === undefined) return undefined;
  const [to = ''] = source
    .slice(close + 2, end)
    .trim()
    .split(/\s/, 1);
  const children = parseInline(source.slice(at + 1, close), depth + 1);
  return { length: end + 1 - at, inline: { kind: 'link', to: to.replace(/^<(.*)>$/, '$1'), children } };
}

/** Where each bracket of a paragraph is closed, in one pass: a text of nothing but brackets is read as fast as any. */
function closingBrackets(source: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  if (!source.includes('](')) return closings;
  const open = { '[': [] as number[], '(': [] as number[] };
  const close = (opened: number[], at: number): void => {
    const from = opened.pop();
    if (from !== undefined && at - from < FARTHEST_BRACKET) closings.set(from, at);
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at++;
    else if (char === '[' || char === '(') open[char].push(at);
    else if (char === ']') close(open['['], at);
    else if (char === ')') close(open['('], at);
    else if (char === '\n' && source[at + 1] === '\n') open['['].length = open['('].length = 0;
  }
  return closings;
}

function address(rest: string): Step | undefined {
  const found = ADDRESS.exec(rest)?.[0].replace(SENTENCE_END, '');
  if (!found) return undefined;
  return {
    length: found.length,
    inline: { kind: 'link', to: found, children: [{ kind: 'text', text: found }] },
  };
}

function marked(stretch: Stretch, at: number): Step | undefined {
  const { source, depth } = stretch;
  for (const { mark, kind } of MARKS) {
    if (!source.startsWith(mark, at)) continue;
    const inner = at + mark.length;
    const first = source[inner];
    if (first === undefined || /\s/.test(first)) continue;
    // `snake_case_name` is a word.
    if (mark.includes('_') && isWord(source[at - 1])) continue;
    const end = endsOf(stretch, mark)[inner + 1] ?? -1;
    if (end < 0 || end - at > FARTHEST) continue;
    const children = parseInline(source.slice(inner, end), depth + 1);
    return { length: end + mark.length - at, inline: { kind, children } };
  }
  return undefined;
}

/** For each place the next one where this mark may end, or -1. */
function endsOf({ source, ends }: Stretch, mark: string): Int32Array {
  const before = ends.get(mark);
  if (before) return before;
  const made = new Int32Array(source.length + 1).fill(-1);
  for (let at = source.length - 1; at >= 0; at--)
    made[at] = mayEnd(source, at, mark) ? at : (made[at + 1] ?? -1);
  ends.set(mark, made);
  return made;
}

function mayEnd(source: string, at: number, mark: string): boolean {
  if (!source.startsWith(mark, at) || /\s/.test(source[at - 1] ?? ' ')) return false;
  const isLonger = mark.length === 1 && (source[at + 1] === mark || source[at - 1] === mark);
  const isInWord = mark.includes('_') && isWord(source[at + mark.length]);
  return !isLonger && !isInWord;
}

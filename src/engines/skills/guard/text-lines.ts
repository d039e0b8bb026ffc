import { dropHidden } from '#kit/hidden-characters';

/** A line as a shell or a model reads it: continued lines are one, nothing is hidden, look-alikes of full width are plain. */
export interface TextLine {
  /** From 1: where it begins. */
  readonly number: number;
  readonly text: string;
  /** Inside a fenced block, or in a file that is code. */
  readonly code: boolean;
  /** The sentence, heading or comment before it says that what follows must not be done. */
  readonly warned: boolean;
}

const LONGEST = 4_000;
const FORBIDS =
  /\b(?:never|must not|mustn't|do not|avoid|don't(?! forget)|wrong|bad|unsafe|insecure|dangerous|malicious|attack(?:er|s)?|reject|block(?:ed|s)?|refuse[sd]?|den(?:y|ied|ies)|forbidden|prohibited|anti-?patterns?|vulnerab\w{2,8}|red flags?|examples? of)\b|[❌🚫⛔]|不要|禁止|切勿|严禁|避免|错误|危险|拒绝/iu;

/** Cuts a text into lines and remembers which are code and which are warnings. */
export function textLines(text: string, isCode: boolean): TextLine[] {
  const lines: TextLine[] = [];
  let fence: string | undefined;
  /** Of the last line of prose that was not empty: it speaks of the block after it. */
  let warned = false;
  const raw = text.split(/\r\n|\n|\r/);
  for (let index = 0; index < raw.length; index += 1) {
    // One empty line separates as well as many.
    if (raw[index]?.trim() === '' && lines.at(-1)?.text === '') continue;
    const first = index;
    const [joined, last] = joinContinued(raw, index);
    index = last;
    const opening = isCode ? undefined : /^ {0,12}(`{3,}|~{3,})/.exec(joined)?.[1];
    if (opening && (fence === undefined || opening.startsWith(fence))) {
      fence = fence === undefined ? opening : undefined;
      continue;
    }
    const code = isCode || fence !== undefined;
    const before = warned;
    const own = FORBIDS.test(joined.slice(0, LONGEST));
    if (!code && joined.trim() !== '') warned = own;
    else if (code && own && /^\s{0,40}(?:#|\/\/|--|;)/.test(joined)) warned = true;
    else if (code && joined.trim() === '' && isCode) warned = false;
    for (const piece of pieces(joined)) {
      lines.push({ number: first + 1, text: plain(piece), code, warned: before });
    }
  }
  return lines;
}

function joinContinued(raw: readonly string[], from: number): [text: string, last: number] {
  let text = raw[from] ?? '';
  let last = from;
  while (text.endsWith('\\') && last + 1 < raw.length && last - from < 40) {
    last += 1;
    text = `${text.slice(0, -1)} ${(raw[last] ?? '').trimStart()}`;
  }
  return [text, last];
}

/** Very long lines are looked at in parts that overlap, so that no pattern meets more than it can bear. */
function pieces(line: string): string[] {
  if (line.length <= LONGEST) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += LONGEST - 400) parts.push(line.slice(at, at + LONGEST));
  return parts;
}

/** Whether the words just before a place say that what stands there must not be done. */
export const forbidsBefore = (text: string, at: number): boolean =>
  FORBIDS.test(text.slice(Math.max(0, at - 80), at).replace(/^.*[.!?。；;](?=\s)/, ''));

const plain = (text: string): string => dropHidden(text).normalize('NFKC');

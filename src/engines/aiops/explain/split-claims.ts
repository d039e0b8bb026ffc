/** A piece of a text: a sentence with the citations that follow it, or what stands between sentences. */
export interface Piece {
  readonly text: string;
  readonly kind: 'sentence' | 'heading' | 'space';
}

const CITATION =
  /^\s*(?:[[【(\uff08]\s*ev_[a-z]+_\d+(?:\s*[,\uff0c、;\uff1b]\s*ev_[a-z]+_\d+)*\s*[\]】)\uff09]\s*)+[.。]?/;
const CLOSING = /^["'”’』」)\uff09*_`]+/;
/** A full stop after one of these ends nothing. */
const SHORT = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|ca|no|fig|resp|incl|max|min|avg|[a-z])$/i;
const LIST_NUMBER = /^\s*\d{1,3}$/;
const FULL_WIDTH = new Set('。\uff01\uff1f\uff1b…');
const HALF_WIDTH = new Set('.!?;');
/** These end a sentence only where it cannot go on: not inside numbers, names of files and addresses. */
const AFTER_END = /^(?:$|[\s"'”’)*_`㐀-鿿]|[[【(\uff08]\s*ev_)/;
const BULLET = /^\s*(?:[-*+•·]|\d{1,3}[.)、])\s+/;
const HEADING = /^\s*#{1,6}\s|^\s*\*\*[^*]+\*\*\s*[:\uff1a]?\s*$|[:\uff1a]\s*$/;
const RULE = /^\s*(?:[-=*_|:\s]+)$/;

/**
 * A text as sentences, in English and Chinese, so that each can be kept or struck out and the rest still reads. Lines
 * that were merely wrapped are put together; bullets, headings and rows of tables stand for themselves.
 */
export function splitClaims(text: string): Piece[] {
  return unwrapped(text).flatMap((line): Piece[] => {
    const end: Piece = { text: '\n', kind: 'space' };
    if (RULE.test(line)) return [{ text: line, kind: 'space' }, end];
    if (/^\s*\|/.test(line)) return [{ text: line, kind: 'sentence' }, end];
    if (HEADING.test(line)) return [{ text: line, kind: 'heading' }, end];
    const bullet = BULLET.exec(line)?.[0] ?? '';
    const sentences = sentencesOf(line.slice(bullet.length));
    return [
      ...(bullet ? [{ text: bullet, kind: 'space' as const }] : []),
      ...sentences.map((sentence): Piece => ({ text: sentence, kind: 'sentence' })),
      end,
    ];
  });
}

function unwrapped(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const last = lines.at(-1);
    if (last !== undefined && isPlain(last) && isPlain(line) && !BULLET.test(line) && !isEnded(last))
      lines[lines.length - 1] = joined(last, line);
    else lines.push(line);
  }
  return lines;
}

const isPlain = (line: string): boolean =>
  line.trim() !== '' && !HEADING.test(line) && !RULE.test(line) && !/^\s*\|/.test(line);
const isEnded = (line: string): boolean =>
  /(?:[.。!?\uff01\uff1f;\uff1b…]["'”’』」)\uff09*_`]*|[\]】])\s*$/.test(line);
/** Chinese has no space where a line was wrapped. */
const joined = (one: string, other: string): string =>
  `${one.trimEnd()}${/[㐀-鿿\uff0c、]$/.test(one.trimEnd()) ? '' : ' '}${other.trimStart()}`;

function sentencesOf(line: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    if (!isEnd(line, at, start)) continue;
    let end = at + 1;
    end += CLOSING.exec(line.slice(end))?.[0].length ?? 0;
    end += CITATION.exec(line.slice(end))?.[0].length ?? 0;
    found.push(line.slice(start, end));
    start = end;
    at = end - 1;
  }
  const rest = line.slice(start);
  return rest.trim() ? [...found, rest] : found;
}

function isEnd(line: string, at: number, start: number): boolean {
  const sign = line[at] ?? '';
  if (FULL_WIDTH.has(sign)) return true;
  if (!HALF_WIDTH.has(sign) || !AFTER_END.test(line.slice(at + 1, at + 80))) return false;
  const before = line.slice(start, at);
  return sign !== '.' || (!SHORT.test(before) && !LIST_NUMBER.test(before));
}

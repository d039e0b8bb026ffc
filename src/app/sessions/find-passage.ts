import { cutTerms, isStopTerm } from '#engines/retrieval';
import type { FoundPassage, Given } from '#spec/api';

type PassagePiece = Given<FoundPassage['pieces'][number]>;

const WIDTH = 280;
const LEAD = 60;
const MOST_CHARS = 80_000;
const CJK = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー]';
const LETTER = `(?:(?!${CJK})[\\p{L}\\p{N}\\p{M}])`;
const WORDS = new RegExp(`(?<run>${CJK}+)|${LETTER}+(?:[-_./:@'’]+${LETTER}+)*`, 'gu');

type Range = readonly [start: number, end: number];

/**
 * The stretch of a text that has the most words of a query, cut by the same rules as the search cuts words. Where the
 * text was found for what stands around it, it is its beginning.
 */
export function findPassage(text: string, query: string): readonly PassagePiece[] {
  const line = text.slice(0, MOST_CHARS).replaceAll(/\s+/g, ' ').trim();
  const hits = hitsIn(line, termsOf(query));
  const from = densest(hits, line.length);
  const to = Math.min(line.length, from + WIDTH);
  const pieces: PassagePiece[] = [];
  let at = from;
  for (const [start, end] of hits) {
    if (start < from || end > to) continue;
    if (start > at) pieces.push({ text: line.slice(at, start), hit: false });
    pieces.push({ text: line.slice(start, end), hit: true });
    at = end;
  }
  const rest = `${line.slice(at, to)}${to < line.length ? '…' : ''}`;
  return [
    ...(from > 0 ? [{ text: '…', hit: false }] : []),
    ...pieces,
    ...(rest ? [{ text: rest, hit: false }] : []),
  ].map((piece) => ({ ...piece, text: piece.text.toWellFormed() }));
}

function termsOf(query: string): ReadonlySet<string> {
  const all = cutTerms(query.slice(0, MOST_CHARS));
  const telling = all.filter((term) => !isStopTerm(term));
  return new Set(telling.length ? telling : all);
}

function hitsIn(line: string, terms: ReadonlySet<string>): readonly Range[] {
  const hits: [number, number][] = [];
  const add = (start: number, end: number) => {
    const last = hits.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else hits.push([start, end]);
  };
  // A long text is a few words many times.
  const known = new Map<string, boolean>();
  const isHit = (word: string): boolean => {
    const found = known.get(word) ?? cutTerms(word).some((term) => terms.has(term));
    known.set(word, found);
    return found;
  };
  for (const { 0: word, index, groups } of line.matchAll(WORDS)) {
    if (!groups?.['run']) {
      if (isHit(word)) add(index, index + word.length);
      continue;
    }
    // Text without spaces is found by pairs of characters, and a single one by itself.
    const step = word.length === 1 ? 1 : 2;
    for (let at = 0; at + step <= word.length; at++)
      if (isHit(word.slice(at, at + step))) add(index + at, index + at + step);
  }
  return hits;
}

/** Where the window begins that has the most hits. They are in order, so both of its ends only go forward. */
function densest(hits: readonly Range[], length: number): number {
  let best = { from: 0, count: 0 };
  let [first, behind] = [0, 0];
  for (const [start] of hits) {
    const from = Math.max(0, Math.min(start - LEAD, length - WIDTH));
    while ((hits[first]?.[0] ?? Infinity) < from) first++;
    while ((hits[behind]?.[1] ?? Infinity) <= from + WIDTH) behind++;
    if (behind - first > best.count) best = { from, count: behind - first };
  }
  return best.from;
}

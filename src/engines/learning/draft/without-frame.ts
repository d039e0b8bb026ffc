import { cutTerms } from '#engines/retrieval';
import { piecesOf } from '../experience/tokens-of.ts';
import type { Rarity } from '../similarity/rarity.ts';

/** An example without the words at its ends that all kinds of tasks have there: greetings, thanks, how urgent it is. */
export function withoutFrame(example: string, words: Rarity): string {
  const pieces = example
    .split(/(<[a-z][a-z0-9_]*>)/)
    .flatMap((part, at) => (at % 2 ? [part] : piecesOf(part)));
  const empty = (piece: string | undefined) =>
    piece !== undefined && !piece.startsWith('<') && cutTerms(piece).every((term) => words.isCommon(term));
  let [start, end] = [0, pieces.length];
  while (start < end && empty(pieces[start])) start++;
  while (end > start && empty(pieces[end - 1])) end--;
  return start < end ? pieces.slice(start, end).join('').trim() : example;
}

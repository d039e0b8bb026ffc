import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from './parse-diff.ts';

/** A stretch of a line, and whether it is what changed in it. */
export interface WordPart {
  readonly text: string;
  readonly changed: boolean;
}

/** Longer lines are shown whole: nobody finds a word in them, and a text made to be slow is only text. */
const LONGEST = 2_000;
const MOST_CHANGES = 200;

/**
 * For lines that were changed, the words that differ, by the line's place. As many removed lines as added ones after them
 * are pairs; every other line was added or removed as a whole, and is left out.
 */
export function markWords(lines: readonly DiffLine[]): ReadonlyMap<number, readonly WordPart[]> {
  const marked = new Map<number, readonly WordPart[]>();
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, 'removed');
    const added = runOf(lines, at + removed, 'added');
    if (removed && removed === added)
      for (let line = at; line < at + removed; line++) markPair(lines, line, line + removed, marked);
    at += Math.max(1, removed + added);
  }
  return marked;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return end - from;
}

function markPair(
  lines: readonly DiffLine[],
  before: number,
  after: number,
  marked: Map<number, readonly WordPart[]>,
): void {
  const [one = '', other = ''] = [lines[before]?.text, lines[after]?.text];
  if (one.length > LONGEST || other.length > LONGEST) return;
  const changes = diffWordsWithSpace(one, other, { maxEditLength: MOST_CHANGES });
  // With nothing in common there is nothing to point at.
  if (!changes?.some(({ added, removed, value }) => !added && !removed && value.trim())) return;
  const parts = (left: 'added' | 'removed'): WordPart[] =>
    changes
      .filter((part) => !part[left])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  marked.set(before, parts('added'));
  marked.set(after, parts('removed'));
}

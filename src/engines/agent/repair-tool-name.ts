import { nearest } from '#kit/nearest';

/** A name must share this much with a tool's to be taken for it. */
const ALIKE = 0.7;

/** The tool that a model meant: as written, in the usual spelling, or the one that is most alike. */
export function repairToolName(written: string, known: readonly string[]): string | undefined {
  if (known.includes(written)) return written;
  const usual = written
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (known.includes(usual)) return usual;
  let best: string | undefined;
  let bestScore = ALIKE;
  for (const name of known) {
    const score = likeness(usual, name);
    if (score >= bestScore) [best, bestScore] = [name, score];
  }
  // Two letters that changed places spoil three pairs, too many in a short name.
  return (
    best ??
    nearest(
      usual,
      known.filter((name) => letters(name) === letters(usual)),
    )
  );
}

const letters = (name: string): string => [...name].toSorted().join('');

/** Shared pairs of neighbouring characters, from 0 to 1 (Dice). */
function likeness(a: string, b: string): number {
  const pairs = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2));
  const left = pairs(a);
  const right = pairs(b);
  let shared = 0;
  for (const pair of left) {
    const at = right.indexOf(pair);
    if (at < 0) continue;
    right.splice(at, 1);
    shared++;
  }
  return (2 * shared) / (left.length + right.length + shared || 1);
}

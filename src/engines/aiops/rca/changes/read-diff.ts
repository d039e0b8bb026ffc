import { HALF } from '../finding.ts';

/** What a diff really changes: lines that only moved, or only changed their spaces, cancel out. */
export interface DiffLines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Lines around the change, heads of hunks, names of files. */
  readonly around: readonly string[];
}

export function readDiff(diff: string): DiffLines {
  const removed: string[] = [];
  const added: string[] = [];
  const around: string[] = [];
  for (const line of diff.split('\n')) {
    if (/^([+-])\1\1(?!\S)/.test(line)) continue;
    const text = line.slice(1).trim().replace(/\s+/g, ' ');
    if (line.startsWith('-')) removed.push(text);
    else if (line.startsWith('+')) added.push(text);
    else around.push(line.trim());
  }
  const left = [...added];
  const gone = removed.filter((line) => {
    const same = left.indexOf(line);
    if (same >= 0) left.splice(same, 1);
    return same < 0;
  });
  return { removed: gone.filter(Boolean), added: left.filter(Boolean), around };
}

/** A text in quotes, or a number with what it is multiplied by, such as `5*time.Second`: the unit changes its meaning as much. */
const LITERAL = /(["'`]).*?\1|\b\d[\w.]*(?: ?\* ?[\w.]+)*/g;

/** A value that a diff puts in place of another. */
export interface ReplacedValue {
  readonly from: string;
  readonly to: string;
  /** The new line. */
  readonly line: string;
}

/** Values that changed in lines that are otherwise much the same. */
export function replacedValues({ removed, added }: DiffLines): ReplacedValue[] {
  return removed.flatMap((line) => {
    const twin = added
      .map((other) => ({ other, likeness: likeness(words(line), words(other)) }))
      .toSorted((one, other) => other.likeness - one.likeness)[0];
    // Lines that share more of their words than not are two versions of one line, even where a name changed as well.
    if (!twin || twin.likeness <= HALF) return [];
    const after = values(twin.other);
    return values(line)
      .map((from, index) => ({ from, to: after[index] ?? '', line: twin.other }))
      .filter(({ from, to }) => from !== to && to !== '');
  });
}

const values = (line: string): string[] => [...line.matchAll(LITERAL)].map(([text]) => text);

const words = (line: string): string[] =>
  line
    .replace(LITERAL, ' ')
    .match(/[A-Za-z_]\w*/g)
    ?.map(String) ?? [];

/** Dice's measure: twice what two lists share, over what they have together. */
function likeness(one: readonly string[], other: readonly string[]): number {
  if (!one.length || !other.length) return 0;
  const left = [...other];
  let shared = 0;
  for (const word of one) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    shared += 1;
  }
  return (2 * shared) / (one.length + other.length);
}

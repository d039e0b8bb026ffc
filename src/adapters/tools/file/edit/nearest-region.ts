import { showHidden } from '#kit/hidden-characters';

const AROUND = 2;
const MOST_LINES = 20;
const MOST_COMPARED = 20_000;

/** The part of a text that is most like `old`, with its line numbers, as a note; empty when nothing is like it. */
export function nearestRegion(text: string, old: string): string {
  const lines = text.split('\n').slice(0, MOST_COMPARED);
  const asked = old.split('\n').map((line) => line.trim());
  const start = bestByEqualLines(lines, asked) ?? bestByLikeness(lines, asked);
  if (start === undefined) return '';
  const first = Math.max(0, start - AROUND);
  const last = Math.min(lines.length, start + Math.min(asked.length, MOST_LINES) + AROUND);
  const shown = lines
    .slice(first, last)
    .map((line, at) => `${String(first + at + 1).padStart(5)}\t${showHidden(line.slice(0, 300))}`);
  return ` The nearest is:\n${shown.join('\n')}`;
}

/** The start on which most of the lines that were asked for agree. */
function bestByEqualLines(lines: readonly string[], asked: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  const offsets = Map.groupBy(asked.keys(), (at) => asked[at] ?? '');
  for (const [at, line] of lines.entries()) {
    const key = line.trim();
    if (key.length < 2) continue;
    for (const offset of offsets.get(key) ?? []) votes.set(at - offset, (votes.get(at - offset) ?? 0) + 1);
  }
  const [best] = [...votes].sort(([a, m], [b, n]) => n - m || a - b);
  return best && Math.max(0, best[0]);
}

function bestByLikeness(lines: readonly string[], asked: readonly string[]): number | undefined {
  const longest = asked.reduce((best, line, at) => (line.length > (asked[best]?.length ?? 0) ? at : best), 0);
  const wanted = pairsOf(asked[longest] ?? '');
  let [best, most] = [-1, 0.4];
  for (const [at, line] of lines.entries()) {
    const pairs = pairsOf(line.trim().slice(0, 500));
    let shared = 0;
    for (const pair of pairs) if (wanted.has(pair)) shared++;
    const likeness = (2 * shared) / Math.max(1, pairs.size + wanted.size);
    if (likeness > most) [best, most] = [at, likeness];
  }
  return best < 0 ? undefined : Math.max(0, best - longest);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

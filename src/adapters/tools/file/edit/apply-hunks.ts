import type { Hunk, HunkLine } from './file-patch.ts';
import { reindent } from './indent.ts';
import { LINE_LIKENESS } from './likeness.ts';
import { nearestRegion } from './nearest-region.ts';

const MOST_FUZZ = 2;

export type Applied =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Applies hunks in their order. Context may have moved, and differ in spaces, quotes and its outermost lines. */
export function applyHunks(text: string, hunks: readonly Hunk[]): Applied {
  let newline = text === '' || text.endsWith('\n');
  let lines = text === '' ? [] : (newline ? text.slice(0, -1) : text).split('\n');
  let [cursor, drift] = [0, 0];
  for (const [index, hunk] of hunks.entries()) {
    const found = locate(lines, hunk, cursor, drift);
    if ('problem' in found) {
      const which = hunks.length > 1 ? `hunk ${index + 1} of ${hunks.length}` : 'the hunk';
      return { ok: false, problem: `${which} does not apply: ${found.problem}` };
    }
    const { start, head } = found;
    const removed = oldSide(found.lines).length;
    const fresh = newSide(lines, found);
    lines = lines.toSpliced(start, removed, ...fresh);
    if (hunk.at !== undefined) drift = start - head - (hunk.at - 1) + fresh.length - removed;
    cursor = start + fresh.length;
    if (hunk.newline !== undefined && cursor >= lines.length) newline = hunk.newline;
  }
  return { ok: true, text: lines.length === 0 ? '' : lines.join('\n') + (newline ? '\n' : '') };
}

/** Where a hunk goes, and the lines of it that count there: with fuzz, without some of the outermost context. */
interface Located {
  readonly start: number;
  readonly lines: readonly HunkLine[];
  /** How many lines were left out at the top. */
  readonly head: number;
}

const oldSide = (lines: readonly HunkLine[]): string[] =>
  lines.filter(({ mark }) => mark !== '+').map(({ text }) => text);

function newSide(file: readonly string[], { start, lines }: Located): string[] {
  const asked = oldSide(lines);
  const found = file.slice(start, start + asked.length);
  const added = lines.filter(({ mark }) => mark === '+').map(({ text }) => text);
  const moved = reindent(added, asked, found);
  let [next, at] = [0, 0];
  return lines.flatMap(({ mark, text }) => {
    if (mark === '+') return [moved[next++] ?? text];
    const line = found[at++] ?? text;
    return mark === ' ' ? [line] : [];
  });
}

function locate(
  file: readonly string[],
  hunk: Hunk,
  cursor: number,
  drift: number,
): Located | { readonly problem: string } {
  const from = afterAnchors(file, hunk.anchors ?? [], cursor);
  if (typeof from !== 'number') return from;
  const expected = hunk.at === undefined ? undefined : hunk.at - 1 + drift;
  if (oldSide(hunk.lines).length === 0) {
    const end = hunk.anchors?.length ? Math.min(from + 1, file.length) : file.length;
    const start = Math.max(from, Math.min(expected ?? end, file.length));
    return { start, lines: hunk.lines, head: 0 };
  }
  for (let fuzz = 0; fuzz <= MOST_FUZZ; fuzz++) {
    const { lines, head } = withoutEdges(hunk.lines, fuzz);
    const old = oldSide(lines);
    if (old.length === 0) break;
    for (const like of LINE_LIKENESS) {
      const starts = startsOf(file, old, from, like);
      if (starts.length === 0) continue;
      const start = choose(starts, hunk, expected === undefined ? undefined : expected + head);
      if (start !== undefined) return { start, lines, head };
      const at = starts.map((one) => one + 1).slice(0, 20);
      return { problem: `it fits at lines ${at.join(', ')}; add context or an @@ line` };
    }
  }
  return {
    problem: `its lines are not in the file.${nearestRegion(file.join('\n'), oldSide(hunk.lines).join('\n'))}`,
  };
}

function choose(starts: readonly number[], hunk: Hunk, expected: number | undefined): number | undefined {
  if (expected !== undefined)
    return starts.reduce((best, start) =>
      Math.abs(start - expected) < Math.abs(best - expected) ? start : best,
    );
  if (hunk.atEnd) return starts.at(-1);
  return starts.length === 1 || hunk.anchors?.length ? starts[0] : undefined;
}

function startsOf(
  file: readonly string[],
  old: readonly string[],
  from: number,
  like: (line: string) => string,
): number[] {
  const [wanted, seen] = [old.map(like), file.map(like)];
  const starts: number[] = [];
  for (let start = from; start + wanted.length <= seen.length; start++)
    if (wanted.every((line, at) => seen[start + at] === line)) starts.push(start);
  return starts;
}

/** The line of the innermost anchor, each looked for below the one before. */
function afterAnchors(
  file: readonly string[],
  anchors: readonly string[],
  cursor: number,
): number | { readonly problem: string } {
  let from = cursor;
  for (const anchor of anchors) {
    const exact = file.findIndex((line, at) => at >= from && line.trim() === anchor.trim());
    const found =
      exact >= 0 ? exact : file.findIndex((line, at) => at >= from && line.includes(anchor.trim()));
    if (found < 0) return { problem: `there is no line '${anchor}' below line ${from + 1}` };
    from = found;
  }
  return from;
}

/** Leaves out up to `fuzz` lines of context at either end. */
function withoutEdges(
  lines: readonly HunkLine[],
  fuzz: number,
): { lines: readonly HunkLine[]; head: number } {
  const leading = lines.findIndex(({ mark }) => mark !== ' ');
  const trailing = lines.length - 1 - lines.findLastIndex(({ mark }) => mark !== ' ');
  const head = Math.min(fuzz, Math.max(0, leading));
  return { lines: lines.slice(head, lines.length - Math.min(fuzz, trailing)), head };
}

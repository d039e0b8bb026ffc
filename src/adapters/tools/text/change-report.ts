import { structuredPatch } from 'diff';
import { count } from './answer.ts';
import { showHidden } from '#kit/hidden-characters';

const MOST_CHARACTERS = 8_000;
const MOST_MS = 1_000;

export interface ChangeReport {
  /** A unified diff; cut where it grows too long. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  /** `+3 −1 src/x.ts`. */
  readonly summary: string;
}

/** What a change did to a file. `undefined` stands for a file that is not there. */
export function changeReport(
  path: string,
  before: string | undefined,
  after: string | undefined,
): ChangeReport {
  const patch = structuredPatch(path, path, before ?? '', after ?? '', '', '', {
    context: 3,
    timeout: MOST_MS,
  });
  const lines = patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: body }) => [
    `@@ -${span(oldStart, oldLines)} +${span(newStart, newLines)} @@`,
    ...body,
  ]);
  const marked = (mark: string) =>
    patch?.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
  const added = marked('+') ?? lineCount(after);
  const removed = marked('-') ?? lineCount(before);
  const names = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ];
  const diff = bounded([...names, ...(lines ?? ['[the two have too little in common to be compared]'])]);
  return { diff, added, removed, summary: `+${added} −${removed} ${path}` };
}

/** A side without lines is counted from the line before it. */
const span = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;

function bounded(lines: readonly string[]): string {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    const text = showHidden(line);
    characters += text.length + 1;
    if (characters > MOST_CHARACTERS)
      return [...shown, `[${count(lines.length - shown.length, 'more line')} of the diff not shown]`].join(
        '\n',
      );
    shown.push(text);
  }
  return shown.join('\n');
}

const lineCount = (text: string | undefined): number =>
  text ? text.split('\n').length - (text.endsWith('\n') ? 1 : 0) : 0;

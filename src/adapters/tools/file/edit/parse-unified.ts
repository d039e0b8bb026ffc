import { type FilePatch, type Hunk, type HunkLine, PatchSyntaxError } from './file-patch.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads a unified diff of one or several files. Line counts that are wrong are ignored. */
export function parseUnified(patch: string): FilePatch[] {
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const files: FilePatch[] = [];
  for (let at = 0; at < lines.length; ) {
    if (!isFileHeader(lines, at)) {
      if (lines[at]?.startsWith('@@'))
        throw new PatchSyntaxError('a hunk without `--- path` and `+++ path` above it');
      at++;
      continue;
    }
    const [from, to] = [nameOf(lines[at] ?? ''), nameOf(lines[at + 1] ?? '')];
    const { hunks, next } = readHunks(lines, at + 2);
    files.push(fileOf(from, to, hunks));
    at = next;
  }
  return files;
}

const isFileHeader = (lines: readonly string[], at: number): boolean =>
  /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '');

const isBoundary = (lines: readonly string[], at: number): boolean =>
  at >= lines.length ||
  /^(?:@@|diff --git |Index: |===)/.test(lines[at] ?? '') ||
  isFileHeader(lines, at) ||
  lines.slice(at).every((line) => line === '');

const nameOf = (line: string): string =>
  line
    .slice(4)
    .replace(/\t.*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');

function fileOf(from: string, to: string, hunks: readonly Hunk[]): FilePatch {
  const prefixed = from.startsWith('a/') || from === '/dev/null';
  const strip = (name: string) => (prefixed && /^[ab]\//.test(name) ? name.slice(2) : name);
  if (from === '/dev/null') return { kind: 'add', path: strip(to), hunks };
  const path = strip(from);
  if (to === '/dev/null') return { kind: 'delete', path };
  const target = strip(to);
  return { kind: 'update', path, hunks, ...(target === path ? {} : { moveTo: target }) };
}

function readHunks(lines: readonly string[], start: number): { hunks: Hunk[]; next: number } {
  const hunks: Hunk[] = [];
  let at = start;
  while (at < lines.length && lines[at]?.startsWith('@@')) {
    const [, oldStart, oldCount = '1', , newCount = '1'] = HUNK.exec(lines[at] ?? '') ?? [];
    const counted =
      oldStart === undefined ? undefined : readCounted(lines, at + 1, Number(oldCount), Number(newCount));
    const { body, newline, next } = counted ?? readMarked(lines, at + 1);
    const place = oldStart === undefined ? {} : { at: Number(oldStart) + (oldCount === '0' ? 1 : 0) };
    hunks.push({ lines: body, ...place, ...(newline === undefined ? {} : { newline }) });
    at = next;
  }
  return { hunks, next: at };
}

interface HunkBody {
  readonly body: HunkLine[];
  readonly newline?: boolean;
  readonly next: number;
}

/** A body as long as its header says; undefined when that does not work out. */
function readCounted(
  lines: readonly string[],
  start: number,
  old: number,
  fresh: number,
): HunkBody | undefined {
  let [at, oldLeft, newLeft] = [start, old, fresh];
  while (oldLeft > 0 || newLeft > 0 || lines[at]?.startsWith('\\')) {
    const mark = lines[at]?.[0];
    if (mark === undefined || !' +-\\'.includes(mark)) return undefined;
    if (mark === ' ' || mark === '-') oldLeft--;
    if (mark === ' ' || mark === '+') newLeft--;
    at++;
  }
  if (oldLeft < 0 || newLeft < 0 || !isBoundary(lines, at)) return undefined;
  return bodyOf(lines, start, at);
}

/** A body that goes on as long as its lines have marks. */
function readMarked(lines: readonly string[], start: number): HunkBody {
  let at = start;
  while (!isBoundary(lines, at)) at++;
  return bodyOf(lines, start, at);
}

function bodyOf(lines: readonly string[], start: number, next: number): HunkBody {
  const body: HunkLine[] = [];
  let newline: boolean | undefined;
  for (const line of lines.slice(start, next)) {
    const mark = line[0];
    // The note belongs to the line above; a later line of the new side takes it back.
    if (mark === '\\') newline = body.at(-1)?.mark === '-' ? (newline ?? true) : false;
    else if (mark === '+' || mark === '-' || mark === ' ') body.push({ mark, text: line.slice(1) });
    else body.push({ mark: ' ', text: line });
  }
  return { body, next, ...(newline === undefined ? {} : { newline }) };
}

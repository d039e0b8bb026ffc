import { type FilePatch, type Hunk, type HunkLine, PatchSyntaxError } from './file-patch.ts';

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** Reads the `*** Begin Patch` form. A missing end is forgiven; anything else that does not belong is told. */
export function parseV4a(patch: string): FilePatch[] {
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = lines.findIndex((line) => line.trim() === '*** End Patch');
  const body = lines.slice(begin + 1, end < 0 ? undefined : end);
  while (body.at(-1) === '') body.pop();
  const files: FilePatch[] = [];
  for (let at = 0; at < body.length; ) {
    const [, verb, path] = HEADER.exec((body[at] ?? '').trimEnd()) ?? [];
    if (path === undefined) {
      if ((body[at] ?? '').trim() !== '') throw new PatchSyntaxError(`unexpected line: ${body[at]}`);
      at++;
      continue;
    }
    const next = body.findIndex((line, index) => index > at && HEADER.test(line.trimEnd()));
    const section = body.slice(at + 1, next < 0 ? undefined : next);
    files.push(fileOf(verb ?? '', path.trim(), section));
    at = next < 0 ? body.length : next;
  }
  return files;
}

function fileOf(verb: string, path: string, section: readonly string[]): FilePatch {
  if (verb === 'Delete') return { kind: 'delete', path };
  if (verb === 'Add') {
    const lines = section.map((line): HunkLine => ({ mark: '+', text: line.replace(/^\+/, '') }));
    return { kind: 'add', path, hunks: [{ lines, newline: true }] };
  }
  const [, moveTo] = /^\*\*\* Move to: (.+)$/.exec(section[0] ?? '') ?? [];
  const hunks = hunksOf(moveTo === undefined ? section : section.slice(1));
  return { kind: 'update', path, hunks, ...(moveTo === undefined ? {} : { moveTo: moveTo.trim() }) };
}

function hunksOf(section: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [anchors, lines, atEnd]: [string[], HunkLine[], boolean] = [[], [], false];
  const close = () => {
    if (lines.length > 0) hunks.push({ lines, anchors, ...(atEnd ? { atEnd } : {}) });
    if (lines.length > 0) anchors = [];
    [lines, atEnd] = [[], false];
  };
  for (const line of section) {
    if (line.startsWith('@@')) {
      close();
      const anchor = line
        .slice(2)
        .replace(/@@\s*$/, '')
        .trim();
      if (anchor && !/^-\d+(?:,\d+)? \+\d+(?:,\d+)?$/.test(anchor)) anchors.push(anchor);
    } else if (line === '*** End of File') atEnd = true;
    else lines.push(hunkLine(line));
  }
  close();
  return hunks;
}

/** A line without a mark counts as context: models leave the space of an empty line out. */
function hunkLine(line: string): HunkLine {
  const mark = line[0];
  if (mark === '+' || mark === '-' || mark === ' ') return { mark, text: line.slice(1) };
  return { mark: ' ', text: line };
}

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'hunk' | 'head';
  readonly text: string;
}

/** The lines of a unified diff. Inside a hunk a line is what its first character says, whatever follows. */
export function parseDiff(diff: string): readonly DiffLine[] {
  let left = { old: 0, new: 0 };
  const read = (line: string): DiffLine => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      left = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
      return { kind: 'hunk', text: line };
    }
    if (left.old <= 0 && left.new <= 0) return { kind: 'head', text: line };
    if (line.startsWith('+')) {
      left.new--;
      return { kind: 'added', text: line.slice(1) };
    }
    if (line.startsWith('-')) {
      left.old--;
      return { kind: 'removed', text: line.slice(1) };
    }
    if (line.startsWith('\\')) return { kind: 'head', text: line };
    left = { old: left.old - 1, new: left.new - 1 };
    return { kind: 'same', text: line.slice(1) };
  };
  return diff.replace(/\n$/, '').split('\n').map(read);
}

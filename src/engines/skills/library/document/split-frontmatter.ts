/** A text and the YAML that stands above it between two lines of dashes. */
export interface SplitText {
  /** Absent when there is none. */
  readonly yaml?: string;
  readonly body: string;
  /** The line of the file that the YAML begins on, from 1. */
  readonly line: number;
}

const FENCE = /^---[ \t]*$/;

/** A byte order mark, Windows line ends and blank lines before the first fence do no harm. */
export function splitFrontmatter(text: string): SplitText {
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || !FENCE.test(lines[first] as string)) return { body: lines.join('\n').trim(), line: 1 };
  const last = lines.findIndex((line, at) => at > first && (FENCE.test(line) || line.trim() === '...'));
  if (last < 0) return { body: lines.join('\n').trim(), line: 1 };
  return {
    yaml: lines.slice(first + 1, last).join('\n'),
    body: lines
      .slice(last + 1)
      .join('\n')
      .trim(),
    line: first + 2,
  };
}

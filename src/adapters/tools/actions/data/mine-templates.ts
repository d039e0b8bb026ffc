interface LogTemplate {
  /** The line with what varies as `<*>`. */
  readonly template: string;
  readonly count: number;
  readonly level: 'error' | 'warning' | 'info';
  readonly first_line: number;
  readonly last_line: number;
  readonly example: string;
  /** Not among those that were known, or only in the last tenth. */
  readonly new: boolean;
  /** Many times as often in one minute as on average. */
  readonly burst: { readonly at: string; readonly count: number; readonly usual: number } | null;
}

const TIME =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s+\d\d:\d\d:\d\d|\b\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?/;
const VARYING: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g,
  /\bhttps?:\/\/[^\s"'<>]+/g,
  /(?<![\w/])\/[\w.@%+-]+(?:\/[\w.@%+-]+)+/g,
  /\b0x[0-9a-f]+\b/gi,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi,
  /"[^"]{0,200}"|'[^']{0,200}'/g,
  /[+-]?\b\d+(?:[.,:]\d+)*(?:ms|s|kb|mb|gb|%|b|m|h)?\b/gi,
];
const MOST_TEMPLATES = 2_000;
const MOST_LINE = 2_000;

/** The form of a line: times, numbers, ids, paths and quoted text are what varies. */
function templateOf(line: string): string {
  let out = line.slice(0, MOST_LINE).replace(TIME, '');
  for (const pattern of VARYING) out = out.replace(pattern, '<*>');
  return out
    .replace(/(?:<\*>[\s,;:=-]*){2,}/g, '<*> ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}

const levelOf = (line: string): LogTemplate['level'] =>
  /\b(?:error|err|fatal|panic|critical|exception|traceback|fail(?:ed|ure)?)\b/i.test(line)
    ? 'error'
    : /\bwarn(?:ing)?\b/i.test(line)
      ? 'warning'
      : 'info';

interface Group {
  count: number;
  first: number;
  last: number;
  readonly example: string;
  readonly minutes: Map<string, number>;
}

/** Groups the lines of a log by their form. */
export function mineTemplates(lines: readonly string[], known: readonly string[]): LogTemplate[] {
  const groups = new Map<string, Group>();
  lines.forEach((line, at) => {
    if (line.trim() === '') return;
    const template = templateOf(line);
    const key = groups.has(template) || groups.size < MOST_TEMPLATES ? template : '<other>';
    const group = groups.get(key) ?? {
      count: 0,
      first: at + 1,
      last: at + 1,
      example: line.slice(0, 500),
      minutes: new Map(),
    };
    groups.set(key, group);
    group.count++;
    group.last = at + 1;
    const minute = TIME.exec(line)?.[0].replace(/(:\d\d):\d\d.*$/, '$1');
    if (minute !== undefined) group.minutes.set(minute, (group.minutes.get(minute) ?? 0) + 1);
  });
  const recent = Math.floor(lines.length * 0.9);
  return [...groups]
    .map(([template, { count, first, last, example, minutes }]) => ({
      template,
      count,
      level: levelOf(example),
      first_line: first,
      last_line: last,
      example,
      new: known.length > 0 ? !known.includes(template) : lines.length >= 100 && first > recent,
      burst: burstOf(minutes, count),
    }))
    .toSorted((a, b) => b.count - a.count);
}

function burstOf(minutes: ReadonlyMap<string, number>, count: number): LogTemplate['burst'] {
  const [most] = [...minutes].toSorted((a, b) => b[1] - a[1]);
  if (!most || minutes.size < 3) return null;
  const usual = (count - most[1]) / (minutes.size - 1);
  return most[1] >= 10 && most[1] > 4 * usual
    ? { at: most[0], count: most[1], usual: Math.round(usual * 10) / 10 }
    : null;
}

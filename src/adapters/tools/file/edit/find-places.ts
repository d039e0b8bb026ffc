import { indentOf, reindent } from './indent.ts';
import { plainCharacters } from './likeness.ts';

/** A stretch of the text, and what is to stand there. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface Places {
  /** How it was found; `exact` for what stands there character by character. */
  readonly how: string;
  readonly places: readonly Place[];
}

type Strategy = (text: string, old: string, fresh: string) => Place[];

/** From strict to lenient. The first that finds anything decides. */
const STRATEGIES: Readonly<Record<string, Strategy>> = {
  exact,
  'spaces at line ends': byLines((line) => line.trimEnd()),
  indentation: byDedentedLines,
  'trimmed lines': byLines((line) => line.trim()),
  whitespace: (text, old, fresh) => byWords(text, old, fresh),
  'quotes and dashes': (text, old, fresh) =>
    byWords(text, old, fresh, plainCharacters(text), plainCharacters(old)),
};

/** Where `old` stands in `text`, however roughly it was copied; undefined when it is nowhere. */
export function findPlaces(text: string, old: string, fresh: string): Places | undefined {
  for (const [how, strategy] of Object.entries(STRATEGIES)) {
    const places = strategy(text, old, fresh);
    if (places.length > 0) return { how, places };
  }
  return undefined;
}

function exact(text: string, old: string, replacement: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length))
    places.push({ start: at, end: at + old.length, replacement });
  return places;
}

function byLines(like: (line: string) => string): Strategy {
  return (text, old, fresh) =>
    windows(text, old, fresh, (found, asked) =>
      found.every((line, at) => like(line) === like(asked[at] ?? '')),
    );
}

/** The same lines, all moved to the right or left by the same amount. */
function byDedentedLines(text: string, old: string, fresh: string): Place[] {
  return windows(text, old, fresh, (found, asked) => {
    const [a, b] = [dedent(found), dedent(asked)];
    return a.every((line, at) => line === b[at]);
  });
}

function dedent(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== '');
  const common = Math.min(...filled.map((line) => indentOf(line).length));
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(common).trimEnd()));
}

/** Runs of whole lines for which `fits` holds; runs do not overlap. */
function windows(
  text: string,
  old: string,
  fresh: string,
  fits: (found: readonly string[], asked: readonly string[]) => boolean,
): Place[] {
  const closed = old.endsWith('\n');
  const asked = (closed ? old.slice(0, -1) : old).split('\n');
  if (asked.every((line) => line.trim() === '')) return [];
  const lines = text.split('\n');
  const starts = lineStarts(lines);
  const places: Place[] = [];
  for (let at = 0; at + asked.length <= lines.length; at++) {
    const found = lines.slice(at, at + asked.length);
    if (!fits(found, asked)) continue;
    const last = at + asked.length - 1;
    const lineEnd = (starts[last] ?? 0) + (lines[last]?.length ?? 0);
    const takesBreak = closed && lineEnd < text.length;
    const body = closed && !takesBreak ? fresh.replace(/\n$/, '') : fresh;
    const replacement = reindent(body.split('\n'), asked, found).join('\n');
    places.push({ start: starts[at] ?? 0, end: lineEnd + (takesBreak ? 1 : 0), replacement });
    at = last;
  }
  return places;
}

function lineStarts(lines: readonly string[]): number[] {
  let start = 0;
  return lines.map((line) => {
    const here = start;
    start += line.length + 1;
    return here;
  });
}

/** The same words with any space between them, also across lines. What surrounds them is left as it is. */
function byWords(text: string, old: string, fresh: string, seen = text, wanted = old): Place[] {
  const words = wanted.trim().split(/\s+/);
  if (words.join('').length < 2) return [];
  const pattern = new RegExp(
    words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'),
    'g',
  );
  const lead = /^\s*/.exec(old)?.[0] ?? '';
  const trail = /\s*$/.exec(old)?.[0] ?? '';
  const inner = fresh.slice(fresh.startsWith(lead) ? lead.length : 0);
  const body = trail && inner.endsWith(trail) ? inner.slice(0, -trail.length) : inner;
  const asked = `${indentOf(lead.split('\n').at(-1) ?? '')}${old.trim()}`.split('\n');
  return [...seen.matchAll(pattern)].map(({ index, 0: { length } }) => {
    const lineStart = text.lastIndexOf('\n', index - 1) + 1;
    const before = text.slice(lineStart, index);
    const found = text.slice(lineStart, index + length).split('\n');
    const [first = '', ...rest] = body.split('\n');
    const moved = before.trim() === '' && found.length === asked.length ? reindent(rest, asked, found) : rest;
    return { start: index, end: index + length, replacement: [first, ...moved].join('\n') };
  });
}

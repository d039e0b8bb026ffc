import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
} from 'yaml';
import type { ConfigPath } from './config-path.ts';
import { hideSecrets, type Problem } from './problem.ts';

/** Where something stands in the text, and what stands there. */
interface Place {
  readonly line: number;
  readonly column: number;
  /** Missing where the path itself is not in the text. */
  readonly found?: string;
}

/** A parsed text that can still say where each value came from. */
export interface YamlSource {
  readonly document: Document.Parsed;
  readonly data: unknown;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Of a key, or of its value; of the nearest thing above it where neither is in the text. */
  place(path: ConfigPath, part: 'key' | 'value'): Place | undefined;
}

const MOST_SHOWN = 60;

export function readYaml(text: string, file: string): YamlSource {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const problem = (error: { pos: [number, number]; message: string }): Problem => {
    const place = at(error.pos[0]);
    return {
      source: file,
      ...place,
      path: '',
      message: explain(error.message, text.split('\n')[place.line - 1]),
    };
  };
  const problems = document.errors.map(problem);
  let data: unknown;
  try {
    if (problems.length === 0) data = document.toJS();
  } catch (cause) {
    problems.push({ source: file, path: '', message: (cause as Error).message });
  }
  return {
    document,
    data,
    problems,
    warnings: document.warnings.map(problem),
    place: (path, part) => {
      const seen = find(document, path, part);
      if (!seen) return undefined;
      const found = seen.value === undefined ? {} : { found: describe(seen.value, text) };
      return { ...at(seen.offset), ...found };
    },
  };
}

/** The parser's words and the line itself. */
function explain(message: string, line = ''): string {
  const brackets = /[[{].*\$\{/.test(line) ? ' (inside brackets, put quotes around "${NAME}")' : '';
  return `${message.split('\n')[0]} in: ${shorten(hideSecrets(line))}${brackets}`;
}

function find(
  document: Document.Parsed,
  path: ConfigPath,
  part: 'key' | 'value',
): { offset: number; value?: unknown } | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const holder = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const [key, value] = entry(holder, path[depth - 1]);
    const anchor = part === 'value' && isScalar(value) && value.value !== null ? value : (key ?? value);
    if (!isNode(anchor) || !anchor.range) continue;
    return { offset: anchor.range[0], ...(depth === path.length ? { value } : {}) };
  }
  return undefined;
}

function entry(holder: unknown, segment: string | number | undefined): [key: unknown, value: unknown] {
  if (isMap(holder)) {
    const pair = holder.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(segment));
    return [pair?.key, pair?.value];
  }
  return [undefined, isCollection(holder) ? holder.get(segment, true) : undefined];
}

function describe(value: unknown, text: string): string {
  if (isAlias(value)) return `*${value.source}`;
  if (isScalar(value) && value.range) return shorten(hideSecrets(text.slice(value.range[0], value.range[1])));
  if (isMap(value)) return 'a group';
  return isCollection(value) ? 'a list' : 'nothing';
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}

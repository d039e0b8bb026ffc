import { LineCounter, parseDocument } from 'yaml';
import { isRecord } from '#kit/is-record';

export interface Frontmatter {
  readonly fields: Readonly<Record<string, unknown>>;
  /** What a strict reader would say about it: the file was read all the same. */
  readonly fault?: { readonly line: number; readonly problem: string };
}

/**
 * Reads frontmatter as people write it. What is not quite YAML, such as a description with an unquoted colon, is mended
 * and read again; of what cannot be mended the plain lines are taken.
 */
export function readFrontmatter(yaml: string): Frontmatter {
  const first = parse(yaml);
  if ('fields' in first) return first;
  const { fault } = first;
  for (const text of [mended(yaml), plainLines(yaml)]) {
    const again = parse(text);
    if ('fields' in again) return { fields: again.fields, fault };
  }
  return { fields: {}, fault };
}

function parse(
  yaml: string,
): Frontmatter | { readonly fault: { readonly line: number; readonly problem: string } } {
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'error',
  });
  const [fault] = document.errors;
  if (fault) return { fault: { line: lines.linePos(fault.pos[0]).line, problem: fault.message } };
  try {
    const fields: unknown = document.toJS({ maxAliasCount: 100 });
    if (fields === null || fields === undefined) return { fields: {} };
    if (isRecord(fields)) return { fields };
    return { fault: { line: 1, problem: 'It is no map of names and values' } };
  } catch (error) {
    return { fault: { line: 1, problem: error instanceof Error ? error.message : String(error) } };
  }
}

const TOP_LEVEL = /^([A-Za-z_][\w.-]*):[ \t]+(\S.*)$/;
/** A value that says by itself that it is more than text: a quoted one, a list, a map, a block. */
const STRUCTURED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[.*\]|\{.*\}|[|>][-+\d]*)\s*(?:#.*)?$/;

/** Puts quotes around every plain value, and spaces where tabs are. */
const mended = (yaml: string): string =>
  yaml
    .split('\n')
    .map((line) => {
      const [, key, value] = TOP_LEVEL.exec(line) ?? [];
      if (key && value && !STRUCTURED.test(value)) return `${key}: ${JSON.stringify(value.trim())}`;
      return line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length));
    })
    .join('\n');

/** Only the lines that name a plain value. */
const plainLines = (yaml: string): string =>
  yaml
    .split('\n')
    .flatMap((line) => {
      const [, key, value] = TOP_LEVEL.exec(line) ?? [];
      return key && value && !/^[|>]/.test(value)
        ? [`${key}: ${JSON.stringify(value.trim().replace(/^(["'])(.*)\1$/, '$2'))}`]
        : [];
    })
    .join('\n');

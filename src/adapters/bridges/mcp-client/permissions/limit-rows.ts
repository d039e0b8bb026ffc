import { isRecord } from '#kit/is-record';
import { statementsIn } from './judge-call.ts';
import { leavesOf } from './leaves.ts';
import { readSql } from './sql-operations.ts';

/**
 * The arguments with a LIMIT behind a query that has none. Only one plain query is touched, and only to ask for less:
 * what was agreed to still covers it.
 */
export function limitQuery(
  input: Readonly<Record<string, unknown>>,
  maxRows: number,
): Record<string, unknown> {
  const [statement, ...more] = statementsIn(leavesOf(input) ?? []);
  if (statement === undefined || more.length > 0) return { ...input };
  const reading = readSql(statement);
  if (!reading.readable || !reading.limitable) return { ...input };
  const key = Object.keys(input).find((name) => input[name] === statement);
  if (key === undefined) return { ...input };
  const query = statement.replace(/[;\s]+$/, '');
  return { ...input, [key]: `${query}\nLIMIT ${maxRows}` };
}

/** A text with at most so many rows: elements of a JSON list, or lines. */
export function cutRows(text: string, maxRows: number): string {
  const note = (total: number) => `[${total - maxRows} of ${total} rows left out: max_rows is ${maxRows}]`;
  const json = parsed(text);
  if (json !== undefined) {
    const cut = cutValue(json, maxRows);
    return cut.total > maxRows ? `${JSON.stringify(cut.value, undefined, 1)}\n${note(cut.total)}` : text;
  }
  const lines = text.split('\n');
  // A table has a few lines of frame beside its rows.
  if (lines.length <= maxRows + FRAME_LINES) return text;
  return `${lines.slice(0, maxRows + FRAME_LINES).join('\n')}\n${note(lines.length)}`;
}

const FRAME_LINES = 4;

/** The value with its lists of objects cut, and the length of the longest one. */
export function cutValue(
  value: unknown,
  maxRows: number,
): { readonly value: unknown; readonly total: number } {
  if (Array.isArray(value)) {
    const inner = value.slice(0, maxRows).map((item: unknown) => cutValue(item, maxRows));
    return {
      value: inner.map((item) => item.value),
      total: Math.max(value.length, ...inner.map(({ total }) => total)),
    };
  }
  if (!isRecord(value)) return { value, total: 0 };
  const fields = Object.entries(value).map(([key, item]) => [key, cutValue(item, maxRows)] as const);
  return {
    value: Object.fromEntries(fields.map(([key, item]) => [key, item.value])),
    total: Math.max(0, ...fields.map(([, { total }]) => total)),
  };
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Then it is counted by its lines.
    return undefined;
  }
}

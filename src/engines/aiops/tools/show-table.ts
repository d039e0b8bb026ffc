import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import type { ToolResult } from '#spec/ports';

const LONGEST_CELL = 160;

/** A text that somebody else wrote, as one safe line. */
export const cell = (text: string, longest = LONGEST_CELL): string => {
  const line = redact(dropHidden(text)).replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
};

/** Rows in columns, the head first. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows].map((row) => row.map((text) => text.replaceAll('|', '/')).join(' | ')).join('\n');

export const said = (text: string, summary: string, data?: unknown): ToolResult => ({
  content: [{ type: 'text', text }],
  summary,
  ...(data === undefined ? {} : { data }),
});

/** An outcome that the model must do something about. */
export const refused = (text: string, data?: unknown): ToolResult => ({
  ...said(text, text.split('\n', 1)[0] ?? '', data),
  isError: true,
});

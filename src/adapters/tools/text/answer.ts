import type { ToolResult } from '#spec/ports';

/** A result of plain text. */
export const answer = (text: string, summary: string, data?: unknown): ToolResult => ({
  content: [{ type: 'text', text }],
  summary,
  ...(data === undefined ? {} : { data }),
});

/** An outcome that the model must do something about. Its first line is what people see. */
export const refusal = (text: string): ToolResult => ({
  ...answer(text, text.split('\n', 1)[0] ?? ''),
  isError: true,
});

/** `1 line`, `2,000 lines`. */
export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`;

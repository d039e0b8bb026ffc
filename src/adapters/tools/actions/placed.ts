import { isRecord } from '#kit/is-record';
import type { ToolResult } from '#spec/ports';

/** A result that says where it was taken: in its text, and in its data. */
export function placed(result: ToolResult, place: string | undefined): ToolResult {
  if (place === undefined) return result;
  const { content, data } = result;
  return {
    ...result,
    content: [...content, { type: 'text', text: `[taken ${place}]` }],
    ...(isRecord(data) ? { data: { ...data, place } } : {}),
  };
}

import type { Message, ToolMessage } from '#spec/data';
import { NUDGES } from './nudges.ts';

/**
 * The results that a conversation lacks because the process ended in the middle of a batch: one for each call
 * of the last assistant message that has none. Adding them makes the conversation valid again.
 */
export function missingResults(messages: readonly Message[]): ToolMessage[] {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const last = messages[at];
  if (last?.role !== 'assistant') return [];
  const answered = new Set(
    messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
  );
  return last.content.flatMap((part): ToolMessage[] =>
    part.type === 'tool_call' && !answered.has(part.id)
      ? [
          {
            role: 'tool',
            callId: part.id,
            name: part.name,
            content: [{ type: 'text', text: NUDGES.interrupted }],
            isError: true,
          },
        ]
      : [],
  );
}

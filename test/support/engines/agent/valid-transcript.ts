import type { Message } from '#spec/data';

/**
 * What would make a vendor refuse a conversation, in words: a call without exactly one result directly after the
 * message that made it, or a result without its call. For tests.
 */
export function validTranscript(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  const close = () => {
    problems.push(...[...open].map((id) => `call ${id} has no result`));
    open = new Set();
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) problems.push(`result ${message.callId} has no open call`);
      continue;
    }
    close();
    if (message.role !== 'assistant') continue;
    if (!message.content.length) problems.push('an assistant message is empty');
    for (const part of message.content) if (part.type === 'tool_call') open.add(part.id);
  }
  close();
  return problems;
}

import { estimateTokens } from '#kit/estimate-tokens';
import type { Message, ModelInfo, SystemBlock } from '#spec/data';

/** What an image costs, roughly, in any vendor's counting. */
const IMAGE_TOKENS = 1_600;

/**
 * The newest messages that fit the model's window beside the prompt and room for the answer.
 * It begins at a user message, so that no tool result loses its call, and always holds the last one.
 */
export function fitWindow(
  messages: readonly Message[],
  system: readonly SystemBlock[],
  info: ModelInfo,
): readonly Message[] {
  const fixed = system.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  let room = info.contextWindow - info.maxOutput - fixed;
  let start = messages.findLastIndex(({ role }) => role === 'user');
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message;
    room -= messageTokens(message);
    if (room < 0) break;
    if (message.role === 'user') start = Math.min(start, index);
  }
  return messages.slice(Math.max(0, start));
}

function messageTokens(message: Message): number {
  return message.content.reduce((sum, part) => {
    switch (part.type) {
      case 'text':
      case 'thinking':
        return sum + estimateTokens(part.text);
      case 'tool_call':
        return sum + estimateTokens(part.name + part.arguments);
      case 'image':
        return sum + IMAGE_TOKENS;
    }
  }, 4);
}

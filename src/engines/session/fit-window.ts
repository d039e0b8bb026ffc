import { estimateTokens } from '#kit/estimate-tokens';
import { messageTokens } from '#kit/message-tokens';
import type { Message, ModelInfo, SystemBlock } from '#spec/data';

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

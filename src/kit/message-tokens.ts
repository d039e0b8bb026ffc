import type { Message } from '#spec/data';
import { estimateTokens } from './estimate-tokens.ts';

/** What an image costs, roughly, in any vendor's counting. */
const IMAGE_TOKENS = 1_600;
const FRAME_TOKENS = 4;

/** About how many tokens a message takes in a request. */
export function messageTokens(message: Message): number {
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
  }, FRAME_TOKENS);
}

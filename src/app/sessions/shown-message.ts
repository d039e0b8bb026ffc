import type { KnownSecrets } from '#kit/redact';
import { estimateTokens } from '#kit/estimate-tokens';
import { fencedText } from '#kit/memory-fence';
import { messageTokens } from '#kit/message-tokens';
import type * as api from '#spec/api';
import type { Message, StoredMessage } from '#spec/data';
import { cutText } from './cut-text.ts';

/** A part of a message as people see it. `memory` is what was recalled for the message, which only the model was sent. */
type ShownPart = api.Given<api.ShownPart>;
export type ShownMessage = api.Given<api.ShownMessage>;

/** A message without credentials and without the bytes of images, its parts at most so long. */
export function shownMessage(stored: StoredMessage, most: number, secrets: KnownSecrets): ShownMessage {
  const { id, seq, turn, at, state, kind, message, usage, cost } = stored;
  return {
    id,
    seq,
    turn,
    at,
    state,
    kind,
    role: message.role,
    parts: message.content.map((part) => shownPart(part, most, secrets)),
    tokens: messageTokens(message),
    ...(usage ? { usage } : {}),
    ...(cost === undefined ? {} : { cost }),
    ...(message.role === 'assistant' ? { model: `${message.origin.provider}/${message.origin.model}` } : {}),
    ...(message.role === 'tool'
      ? { call: message.callId, name: message.name, isError: message.isError }
      : {}),
  };
}

function shownPart(part: Message['content'][number], most: number, secrets: KnownSecrets): ShownPart {
  switch (part.type) {
    case 'image':
      return { type: 'image', mediaType: part.mediaType, bytes: Math.floor((part.data.length * 3) / 4) };
    case 'tool_call':
      return { type: 'tool_call', id: part.id, name: part.name, ...cutText(part.arguments, most, secrets) };
    case 'thinking':
      return { type: 'thinking', ...cutText(part.text, most, secrets) };
    case 'text': {
      const recalled = fencedText(part.text);
      return recalled === undefined
        ? { type: 'text', ...cutText(part.text, most, secrets) }
        : { type: 'memory', tokens: estimateTokens(recalled), ...cutText(recalled, most, secrets) };
    }
  }
}

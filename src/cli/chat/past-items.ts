import { withoutFence } from '#kit/memory-fence';
import type { StoredMessage, UserPart } from '#spec/data';
import type { Item } from './turn-view.ts';

const MOST_MESSAGES = 8;
const MOST_CHARS = 6_000;

/** The end of a conversation as items, and how many messages stand before it. It begins with something the user said. */
export function pastItems(messages: readonly StoredMessage[]): { items: Item[]; earlier: number } {
  const shown = messages.filter(({ kind, state }) => kind !== 'notice' && state !== 'undone');
  const from = beginning(shown);
  const last = shown.slice(from);
  const failed = new Set(
    last.flatMap(({ message }) => (message.role === 'tool' && message.isError ? [message.callId] : [])),
  );
  return { items: last.flatMap((stored) => itemsOf(stored, failed)), earlier: from };
}

function beginning(messages: readonly StoredMessage[]): number {
  const from = Math.max(0, messages.length - MOST_MESSAGES);
  const user = messages.findIndex(({ message }, i) => i >= from && message.role === 'user');
  return user < 0 ? from : user;
}

function itemsOf({ message }: StoredMessage, failed: ReadonlySet<string>): Item[] {
  if (message.role === 'tool') return [];
  if (message.role === 'user') return [{ kind: 'user', text: plainText(message.content) }];
  return message.content.flatMap((part): Item[] => {
    if (part.type === 'text') return part.text.trim() ? [{ kind: 'text', text: shorten(part.text) }] : [];
    if (part.type === 'thinking') return [];
    const state = failed.has(part.id) ? 'failed' : 'done';
    return [{ kind: 'tool', call: part.id, name: part.name, arguments: part.arguments, state, startedAt: 0 }];
  });
}

/** The words of a message; an image is named. */
export const plainText = (content: readonly UserPart[]): string =>
  withoutFence(content)
    .map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`))
    .join('\n');

const shorten = (text: string): string =>
  text.length > MOST_CHARS ? `…\n\n${text.slice(-MOST_CHARS)}` : text;

import { messageTokens } from '#kit/message-tokens';
import type { StoredMessage } from '#spec/data';

/** Messages that only make sense together: an assistant's calls and their results, or any other message alone. */
export interface Group {
  readonly messages: readonly StoredMessage[];
  readonly tokens: number;
  /** Something that the user said, as opposed to what Hermes added on its own behalf. */
  readonly fromUser: boolean;
}

export function groupMessages(messages: readonly StoredMessage[]): Group[] {
  const groups: StoredMessage[][] = [];
  for (const stored of messages) {
    const open = groups.at(-1);
    if (stored.message.role === 'tool' && open) open.push(stored);
    else groups.push([stored]);
  }
  return groups.map((members) => ({
    messages: members,
    tokens: members.reduce((sum, { message }) => sum + messageTokens(message), 0),
    fromUser: members[0]?.message.role === 'user' && members[0].kind === 'plain',
  }));
}

import type { Message } from '#spec/data';

export type Block = Record<string, unknown>;

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/**
 * Messages as alternating turns: neighbours of one side become one turn, tool results stand on the user's side,
 * and a message that encodes to nothing leaves no turn behind.
 */
export function toTurns(
  messages: readonly Message[],
  encode: (message: Message, index: number) => readonly Block[],
): Turn[] {
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = encode(message, index);
    const open = turns.at(-1);
    if (open?.role === role) open.content.push(...blocks);
    else if (blocks.length) turns.push({ role, content: [...blocks] });
  });
  return turns;
}

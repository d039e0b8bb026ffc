import type { EndedTurn } from '#engines/session';
import { withoutFence } from '#kit/memory-fence';
import type { Message } from '#spec/data';

/** What the user said in a turn and what they were answered, without what travelled unseen. */
export function turnTexts({ messages }: EndedTurn): { said: string; answered: string; at: number } {
  const first = messages.find(({ message, kind }) => message.role === 'user' && kind === 'plain');
  const last = messages.findLast(({ message }) => message.role === 'assistant');
  return {
    said: first ? textOf(first.message) : '',
    answered: last ? textOf(last.message) : '',
    at: first?.at ?? 0,
  };
}

const textOf = ({ content }: Message): string =>
  withoutFence<Message['content'][number]>(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();

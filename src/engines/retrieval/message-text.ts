import { withoutFence } from '#kit/memory-fence';
import type { Message, StoredMessage } from '#spec/data';

/** What a person would call the text of a message: no thinking, no images, nothing that was only recalled; of a tool call its name and arguments. */
export function messageText(message: Message): string {
  const parts = withoutFence<Message['content'][number]>(message.content).map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'tool_call' ? `${part.name} ${part.arguments}` : '';
  });
  return parts.filter(Boolean).join('\n');
}

/** Who wrote a message: a role, and for the result of a tool its name. */
export function defaultSpeaker({ message }: StoredMessage): string {
  return message.role === 'tool' ? `tool ${message.name}` : message.role;
}

import type { Message } from '#spec/data';

type Part = Message['content'][number];

/**
 * A message without its secrets, and the same object where it has none. Pictures and what a vendor wants back stay as
 * they are; but thinking that was changed is no longer what its vendor signed, and goes without the signature.
 */
export function redactMessage<M extends Message>(message: M, clean: (text: string) => string): M {
  const content = (message.content as readonly Part[]).map((part): Part => {
    if (part.type === 'image') return part;
    if (part.type === 'tool_call') {
      const own = clean(part.arguments);
      return own === part.arguments ? part : { ...part, arguments: own };
    }
    const text = clean(part.text);
    return text === part.text ? part : { type: part.type, text };
  });
  return content.some((part, at) => part !== message.content[at]) ? { ...message, content } : message;
}

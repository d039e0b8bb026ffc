import type { ImagePart, Message } from '#spec/data';
import { badParam } from './openai-error.ts';

const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/** An image comes with the request: nothing is fetched on anybody's behalf. */
export function imageOf(url: string, param: string): ImagePart {
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  if (!mediaType || !data)
    throw badParam(
      param,
      'An image has to come in a data: URL, as base64, of PNG, JPEG, GIF or WebP.',
      'invalid_image_url',
    );
  return { type: 'image', mediaType: mediaType as ImagePart['mediaType'], data: data.replace(/\s/g, '') };
}

/** Every call has its result behind it and every result its call, or no vendor would take the conversation. */
export function checkCalls(messages: readonly Message[], param: string): void {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId))
        throw badParam(param, `The result '${message.callId.slice(0, 100)}' answers no call before it.`);
      continue;
    }
    checkNoneOpen(open, param);
    const calls = message.role === 'assistant' ? message.content : [];
    open = new Set(calls.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])));
  }
  checkNoneOpen(open, param);
}

function checkNoneOpen(open: ReadonlySet<string>, param: string): void {
  if (open.size) throw badParam(param, `These calls have no result: ${[...open].join(', ').slice(0, 500)}.`);
}

/** Who wrote the messages that a client sends as the agent's: it says so, and nobody can tell. */
export const CLIENT_ORIGIN = { provider: 'client', model: 'history', protocol: 'local' } as const;

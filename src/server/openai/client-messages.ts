import type { ImagePart, Message, UserPart } from '#spec/data';
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

/** The parts of a content, which is a text or a list. `read` is told where its part stands. */
export const contentParts = <Part>(
  content: string | readonly Part[],
  at: string,
  read: (part: Part, at: string) => UserPart,
): UserPart[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.map((part, index) => read(part, `${at}.content[${index}]`));

/** Where only words can stand. */
export const onlyText = (parts: readonly UserPart[], at: string): string =>
  parts
    .map((part, index) => {
      if (part.type === 'text') return part.text;
      throw badParam(`${at}.content[${index}]`, 'An image can only stand in a message of the user.');
    })
    .join('\n');

/** Somebody has to have said something, or a result to have come. */
export function checkLast(messages: readonly Message[], param: string): void {
  const last = messages.at(-1);
  if (!last || last.role === 'assistant')
    throw badParam(param, 'The last one has to be a message of the user, or the result of a call.');
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

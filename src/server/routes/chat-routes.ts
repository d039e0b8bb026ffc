import type { ChatEvent, ChatPerson, ServedChat } from '#app/chat';
import { fail } from '#kit/app-error';
import { API } from '#spec/api';
import type { ImagePart, UserPart } from '#spec/data';
import type { Principal, Route } from '#spec/ports';
import { EVENT_STREAM, eventFrame, resumeAfter, RETRY_FRAME } from '../event-frame.ts';
import { implement } from '../implement.ts';

const { chat: CHAT } = API;

/** The part of a request that says which conversation is meant, and for whom. */
interface Meant {
  readonly principal?: Principal;
  readonly params: { readonly session: string };
  readonly query: { readonly language?: 'en' | 'zh' | undefined };
}

/** Talking to the agent. Everybody has conversations of their own; the owner of the home also those of its terminal. */
export function chatRoutes(chat: ServedChat): Route[] {
  const roomOf = ({ principal, params, query }: Meant) =>
    chat.room(personOf(principal), params.session, query.language);
  const say = async (meant: Meant, content: readonly UserPart[]) => {
    if (!content.length) throw fail('input.invalid', 'Nothing was said.');
    return { body: await (await roomOf(meant)).say(content) };
  };
  return [
    implement(CHAT.list, async ({ principal, query: { text, limit } }) => ({
      body: await chat.list(personOf(principal), { limit, ...(text ? { text } : {}) }),
    })),
    implement(CHAT.begin, async ({ principal, body: { language } }) => {
      const { id } = await chat.begin(personOf(principal), language);
      return { body: { session: id } };
    }),
    implement(CHAT.commands, async ({ principal, query: { language = 'en' } }) => {
      const { commands } = await chat.begin(personOf(principal), language);
      return { body: commands };
    }),
    implement(CHAT.events, async (request) => {
      const room = await roomOf(request);
      const after = resumeAfter(request.headers, request.query.after);
      return { headers: EVENT_STREAM, body: frames(room.listen(after, request.signal)) };
    }),
    implement(CHAT.items, async (request) => ({
      body: (await roomOf(request)).earlier(request.query.before, request.query.limit),
    })),
    implement(CHAT.say, async (request) => {
      const { text, images } = request.body;
      return say(request, [
        ...(text.trim() ? [{ type: 'text' as const, text }] : []),
        ...images.map((image) => ({ type: 'image' as const, ...image })),
      ]);
    }),
    implement(CHAT.steer, async (request) => say(request, [{ type: 'text', text: request.body.text }])),
    implement(CHAT.stop, async (request) => ({ body: { stopped: (await roomOf(request)).stop() } })),
    implement(CHAT.command, async (request) => ({
      body: await (await roomOf(request)).command(request.body.line, personOf(request.principal)),
    })),
    implement(CHAT.answer, async (request) => {
      const room = await roomOf(request);
      room.answer(request.params.question, request.body, personOf(request.principal));
      return { body: { answered: true } };
    }),
    implement(CHAT.call, async (request) => ({
      body: await (await roomOf(request)).call(request.params.call),
    })),
    implement(CHAT.image, async (request) => {
      const { message, part } = request.params;
      const image = await (await roomOf(request)).image({ message, part: Number(part) });
      return { headers: pictureHeaders(image), body: Buffer.from(image.data, 'base64') };
    }),
  ];
}

async function* frames(pieces: AsyncIterable<readonly ChatEvent[]>): AsyncGenerator<string> {
  yield RETRY_FRAME;
  for await (const events of pieces) yield events.map(eventFrame).join('');
}

/** It came from a person or a tool: it is a picture to the browser, whatever its bytes are. */
const pictureHeaders = ({ mediaType }: ImagePart) => ({
  'content-type': mediaType,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=3600',
});

function personOf(principal: Principal | undefined): ChatPerson {
  if (!principal) throw fail('input.unauthorized', 'Nobody is signed in.');
  return principal;
}

import { z } from 'zod';
import type { ChatEvent, ChatPerson, ServedChat } from '#host';
import { fail } from '#kit/app-error';
import { ImagePart, type UserPart } from '#spec/data';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#spec/ports';
import { eventFrame, resumeAfter, RETRY_FRAME } from '../event-frame.ts';
import { readJson, readNumber } from './read-json.ts';

const MOST_TEXT = 200_000;
const MOST_STEERED = 20_000;
const MOST_IMAGES = 4;
const MOST_BYTES = 16_000_000;
const MOST_LISTED = 200;

const Language = z.enum(['en', 'zh']);
const Said = z.strictObject({
  text: z.string().max(MOST_TEXT),
  images: z
    .array(ImagePart.omit({ type: true }))
    .max(MOST_IMAGES)
    .default([]),
});
const Begin = z.strictObject({ language: Language.default('en') });
const Steer = z.strictObject({ text: z.string().trim().min(1).max(MOST_STEERED) });
const Line = z.strictObject({ line: z.string().trim().startsWith('/').max(MOST_STEERED) });
const Answer = z.union([
  z.strictObject({ choice: z.int().min(0).max(100) }),
  z.strictObject({ text: z.string().trim().min(1).max(MOST_STEERED) }),
  z.strictObject({ none: z.literal(true) }),
]);

const Session = z.object({ session: z.string() });
const Turn = z.object({ turn: z.int(), steered: z.boolean() });
const Entry = z.object({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  updatedAt: z.number(),
  messages: z.int(),
  running: z.boolean(),
  asking: z.boolean(),
});
const Command = z.object({ name: z.string(), usage: z.string(), summary: z.string() });

const LANGUAGE = { language: '`en` or `zh`: of questions and commands' };

/** Talking to the agent. Everybody has conversations of their own; the owner of the home also those of its terminal. */
export function chatRoutes(chat: ServedChat): Route[] {
  const roomOf = (request: RouteRequest) =>
    chat.room(personOf(request), request.params['session'] ?? '', languageOf(request));
  const said = async (request: RouteRequest, content: readonly UserPart[]): Promise<RouteAnswer> => {
    if (!content.length) throw fail('input.invalid', 'Nothing was said.');
    return { status: 202, body: await (await roomOf(request)).say(content) };
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/chat',
      access: 'write',
      about: {
        summary: 'Your conversations, newest first',
        query: { text: 'with this in the title', limit: 'at most so many' },
        answer: z.array(Entry),
      },
      handle: async (request) => {
        const text = request.query.get('text');
        const limit = readNumber(request.query, 'limit', MOST_LISTED, 50);
        const body = await chat.list(personOf(request), { limit, ...(text ? { text } : {}) });
        return { status: 200, body };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chat',
      access: 'write',
      about: {
        summary: 'Begin a conversation; it is kept once something is said',
        body: Begin,
        answer: Session,
      },
      handle: async (request) => {
        const { language } = readJson(request, Begin, {});
        const { id } = await chat.begin(personOf(request), language);
        return { status: 201, body: { session: id } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chat/commands',
      access: 'write',
      about: { summary: 'Slash commands', query: LANGUAGE, answer: z.array(Command) },
      handle: async (request) => {
        const { commands } = await chat.begin(personOf(request), languageOf(request) ?? 'en');
        return { status: 200, body: commands };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chat/:session/events',
      access: 'write',
      about: {
        summary: 'The conversation as server-sent events: a snapshot, then what changes',
        query: { after: 'the place to go on from', ...LANGUAGE },
      },
      handle: async (request) => {
        const room = await roomOf(request);
        return {
          status: 200,
          headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
          body: frames(
            room.listen(
              resumeAfter(request.headers, request.query.get('after') ?? undefined),
              request.signal,
            ),
          ),
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chat/:session/items',
      access: 'write',
      about: {
        summary: 'What was shown before',
        query: { before: 'the place of the first that is known', limit: 'at most so many' },
      },
      handle: async (request) => {
        const before = readNumber(request.query, 'before', Number.MAX_SAFE_INTEGER);
        const limit = readNumber(request.query, 'limit', MOST_LISTED);
        return { status: 200, body: (await roomOf(request)).earlier(before, limit) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chat/:session/messages',
      access: 'write',
      maxBytes: MOST_BYTES,
      about: {
        summary: 'Say something: begins a turn, or speaks to the one that runs',
        body: Said,
        answer: Turn,
      },
      handle: async (request) => {
        const { text, images } = readJson(request, Said);
        return said(request, [
          ...(text.trim() ? [{ type: 'text' as const, text }] : []),
          ...images.map((image) => ({ type: 'image' as const, ...image })),
        ]);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chat/:session/steer',
      access: 'write',
      about: {
        summary: 'Speak to the running turn; what comes too late begins the next',
        body: Steer,
        answer: Turn,
      },
      handle: async (request) => said(request, [{ type: 'text', text: readJson(request, Steer).text }]),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chat/:session/stop',
      access: 'write',
      about: { summary: 'Interrupt the running turn' },
      handle: async (request) => ({ status: 200, body: { stopped: (await roomOf(request)).stop() } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chat/:session/command',
      access: 'write',
      about: { summary: 'Run a slash command', body: Line },
      handle: async (request) => {
        const { line } = readJson(request, Line);
        return { status: 200, body: await (await roomOf(request)).command(line, personOf(request)) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chat/:session/answers/:question',
      access: 'write',
      about: { summary: 'Answer a question; agreeing to something asks for the role approver', body: Answer },
      handle: async (request) => {
        const answer = readJson(request, Answer);
        (await roomOf(request)).answer(request.params['question'] ?? '', answer, personOf(request));
        return { status: 200, body: { answered: true } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chat/:session/calls/:call',
      access: 'write',
      about: { summary: 'Arguments and result of a call' },
      handle: async (request) => ({
        status: 200,
        body: await (await roomOf(request)).call(request.params['call'] ?? ''),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chat/:session/messages/:message/images/:part',
      access: 'write',
      about: { summary: 'A picture of a message' },
      handle: async (request) => {
        const { message = '', part = '' } = request.params;
        const image = await (await roomOf(request)).image({ message, part: Number(part) });
        return { status: 200, headers: pictureHeaders(image), body: Buffer.from(image.data, 'base64') };
      },
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

function personOf({ principal }: RouteRequest): ChatPerson {
  if (!principal) throw fail('input.unauthorized', 'Nobody is signed in.');
  return principal;
}

function languageOf({ query }: RouteRequest): 'en' | 'zh' | undefined {
  const asked = Language.safeParse(query.get('language'));
  return asked.success ? asked.data : undefined;
}

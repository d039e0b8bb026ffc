import { queryOptions } from '@tanstack/react-query';
import type { ChatAnswer, ChatImage, SentImage } from '#spec/api';
import { addressOf, ask } from '../api/ask.ts';
import type { Language } from '#kit/language';

/** What the page asks of conversations. The language is that of questions and commands. */
export const chatApi = {
  begin: (language: Language) => ask('POST /api/chat', { body: { language } }),
  say: (session: string, language: Language, text: string, images: readonly SentImage[]) =>
    ask('POST /api/chat/:session/messages', {
      params: { session },
      query: { language },
      body: { text, images: [...images] },
    }),
  steer: (session: string, language: Language, text: string) =>
    ask('POST /api/chat/:session/steer', { params: { session }, query: { language }, body: { text } }),
  stop: (session: string, language: Language) =>
    ask('POST /api/chat/:session/stop', { params: { session }, query: { language } }),
  command: (session: string, language: Language, line: string) =>
    ask('POST /api/chat/:session/command', { params: { session }, query: { language }, body: { line } }),
  answer: (session: string, language: Language, question: string, body: ChatAnswer) =>
    ask('POST /api/chat/:session/answers/:question', {
      params: { session, question },
      query: { language },
      body,
    }),
  earlier: (session: string, language: Language, before: number) =>
    ask('GET /api/chat/:session/items', { params: { session }, query: { before, limit: 200, language } }),
  events: (session: string, language: Language, after: string) =>
    addressOf('GET /api/chat/:session/events', { params: { session }, query: { after, language } }),
  image: (session: string, { message, part }: ChatImage) =>
    addressOf('GET /api/chat/:session/messages/:message/images/:part', {
      params: { session, message, part: String(part) },
    }),
};

export const chatQueries = {
  list: (text: string) =>
    queryOptions({
      queryKey: ['chat', 'list', text],
      queryFn: ({ signal }) => ask('GET /api/chat', { query: { text }, signal }),
      refetchInterval: 4_000,
      placeholderData: (before) => before,
    }),
  commands: (language: Language) =>
    queryOptions({
      queryKey: ['chat', 'commands', language],
      queryFn: ({ signal }) => ask('GET /api/chat/commands', { query: { language }, signal }),
      staleTime: 300_000,
    }),
  call: (session: string, call: string, isOver: boolean) =>
    queryOptions({
      queryKey: ['chat', 'call', session, call, isOver],
      queryFn: ({ signal }) =>
        ask('GET /api/chat/:session/calls/:call', { params: { session, call }, signal }),
      staleTime: isOver ? Number.POSITIVE_INFINITY : 0,
    }),
};

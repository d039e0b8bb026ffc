import { queryOptions } from '@tanstack/react-query';
import { pathOf, request, withQuery } from '../api/request.ts';
import type { Language } from '../language/define-text.ts';
import type {
  CallDetail,
  ChatAnswer,
  ChatEntry,
  ChatImage,
  ChatItem,
  CommandOutcome,
  SentImage,
  SlashCommand,
} from './chat-records.ts';

const post = <T>(path: string, language: Language, body: unknown) =>
  request<T>(path, { method: 'POST', query: { language }, body });

/** What the page asks of conversations. The language is that of questions and commands. */
export const chatApi = {
  begin: (language: Language) =>
    request<{ readonly session: string }>('/api/chat', { method: 'POST', body: { language } }),
  say: (session: string, language: Language, text: string, images: readonly SentImage[]) =>
    post<unknown>(pathOf`/api/chat/${session}/messages`, language, { text, images }),
  steer: (session: string, language: Language, text: string) =>
    post<unknown>(pathOf`/api/chat/${session}/steer`, language, { text }),
  stop: (session: string, language: Language) =>
    post<unknown>(pathOf`/api/chat/${session}/stop`, language, {}),
  command: (session: string, language: Language, line: string) =>
    post<CommandOutcome>(pathOf`/api/chat/${session}/command`, language, { line }),
  answer: (session: string, language: Language, question: string, answer: ChatAnswer) =>
    post<unknown>(pathOf`/api/chat/${session}/answers/${question}`, language, answer),
  earlier: (session: string, language: Language, before: number) =>
    request<readonly ChatItem[]>(pathOf`/api/chat/${session}/items`, {
      query: { before, limit: 200, language },
    }),
  events: (session: string, language: Language, after: string) =>
    withQuery(pathOf`/api/chat/${session}/events`, { after, language }),
  image: (session: string, { message, part }: ChatImage) =>
    pathOf`/api/chat/${session}/messages/${message}/images/${String(part)}`,
};

export const chatQueries = {
  list: (text: string) =>
    queryOptions({
      queryKey: ['chat', 'list', text],
      queryFn: ({ signal }) => request<readonly ChatEntry[]>('/api/chat', { query: { text }, signal }),
      refetchInterval: 4_000,
      placeholderData: (before) => before,
    }),
  commands: (language: Language) =>
    queryOptions({
      queryKey: ['chat', 'commands', language],
      queryFn: ({ signal }) =>
        request<readonly SlashCommand[]>('/api/chat/commands', { query: { language }, signal }),
      staleTime: 300_000,
    }),
  call: (session: string, call: string, isOver: boolean) =>
    queryOptions({
      queryKey: ['chat', 'call', session, call, isOver],
      queryFn: ({ signal }) => request<CallDetail>(pathOf`/api/chat/${session}/calls/${call}`, { signal }),
      staleTime: isOver ? Number.POSITIVE_INFINITY : 0,
    }),
};

import type { SlashCommandInfo } from '#engines/session';
import type * as api from '#spec/api';
import type { Audience, ImagePart, UserPart } from '#spec/data';
import type { Language } from '#kit/language';
import type { Principal } from '#spec/ports';

/** Who is at the page, as the server has found out. */
export type ChatPerson = Pick<Principal, 'user' | 'role' | 'person'>;

/** A picture in a message: where it stands. */
export type ChatImage = api.Given<api.ChatImage>;

export type ToolItem = api.Given<api.ToolItem>;

/** One thing on the page. Data only: words and colours come with rendering. Times are milliseconds since the epoch. */
export type ChatItem = api.Given<api.ChatItem>;

export type ChatActivity = NonNullable<ChatStatus['running']>['activity'];

/** What a tool or the gate asks. Whoever's chat it is answers. */
export type ChatQuestion = api.Given<api.ChatQuestion>;

export type ChatStatus = api.Given<api.ChatStatus>;

export type ChatSnapshot = api.Given<api.ChatSnapshot>;

/** What listeners are told. A snapshot takes the place of everything before it. */
export type ChatEvents = {
  [E in api.EventOf<api.Calls['GET /api/chat/:session/events']> as E['type']]: api.Given<E['data']>;
};

/** `seq`: where it stands in the conversation, as long as this process holds it open. */
export type ChatEvent = {
  [K in keyof ChatEvents]: { readonly type: K; readonly data: ChatEvents[K]; readonly seq: number };
}[keyof ChatEvents];

/** A conversation in the list. */
export type ChatEntry = api.Given<api.ChatEntry>;

export type CallDetail = api.Given<api.AnswerOf<api.Calls['GET /api/chat/:session/calls/:call']>>;

/** Where a command leads: another session, a new conversation, or away. */
export type CommandOutcome = api.Given<api.AnswerOf<api.Calls['POST /api/chat/:session/command']>>;

/** One conversation that is held open: it goes on whoever listens. */
export interface ChatRoom {
  readonly id: string;
  readonly commands: readonly SlashCommandInfo[];
  /** What comes after a place; a snapshot first where that place is not at hand any more. */
  listen(
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ChatEvent[], void, undefined>;
  earlier(before: number, limit: number): readonly ChatItem[];
  /** Begins a turn, or speaks to the one that runs. */
  say(content: readonly UserPart[]): Promise<{ readonly turn: number; readonly steered: boolean }>;
  /** False: nothing ran. */
  stop(): boolean;
  command(line: string, person: ChatPerson): Promise<CommandOutcome>;
  answer(question: string, answer: ChatAnswer, person: ChatPerson): void;
  call(id: string): Promise<CallDetail>;
  image(at: ChatImage): Promise<ImagePart>;
}

/** One of the choices by its number, words of one's own, or none. */
export type ChatAnswer = api.Given<api.ChatAnswer>;

export interface ChatOptions {
  /** The folder that tools work in. */
  readonly cwd: string;
}

export interface ServedChat {
  /** One's conversations, newest first. Whoever owns the home also sees those of its terminal. */
  list(
    person: ChatPerson,
    filter: { readonly text?: string; readonly limit: number },
  ): Promise<readonly ChatEntry[]>;
  /** A conversation in which nothing has been said yet. */
  begin(person: ChatPerson, language: Language): Promise<ChatRoom>;
  /** Rejects with `input.not_found` for everybody else's. Without a language, that of the one who opened it. */
  room(person: ChatPerson, session: string, language?: Language): Promise<ChatRoom>;
}

export const chatAudience = (user: string): Audience => ({ source: 'console', user, chat: 'console' });

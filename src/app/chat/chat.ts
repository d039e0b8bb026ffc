import type { SlashCommandInfo } from '#engines/session';
import type { Approval, Audience, ErrorRecord, ImagePart, NextStep, UserPart } from '#spec/data';
import type { Language } from '#kit/language';
import type { Principal } from '#spec/ports';

/** Who is at the page, as the server has found out. */
export type ChatPerson = Pick<Principal, 'user' | 'role' | 'person'>;

/** A picture in a message: where it stands. */
export interface ChatImage {
  readonly message: string;
  readonly part: number;
}

export interface ToolItem {
  readonly kind: 'tool';
  readonly call: string;
  readonly name: string;
  /** JSON as the model wrote it, its beginning where it is long. */
  readonly arguments: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly at: number;
  readonly progress?: string;
  readonly summary?: string;
  readonly ms?: number;
}

/** One thing on the page. Data only: words and colours come with rendering. Times are milliseconds since the epoch. */
export type ChatItem =
  | {
      readonly kind: 'user';
      readonly text: string;
      readonly images: readonly ChatImage[];
      readonly at: number;
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly at: number; readonly ms?: number }
  | ToolItem
  /** `steer`: said to a running turn. `unsaid`: it was stopped before it heard this. */
  | { readonly kind: 'steer' | 'unsaid' | 'notice'; readonly text: string }
  | { readonly kind: 'command'; readonly line: string; readonly text: string }
  | { readonly kind: 'attempt'; readonly error: ErrorRecord; readonly next: NextStep }
  | { readonly kind: 'error'; readonly error: ErrorRecord }
  | { readonly kind: 'compacted'; readonly before: number; readonly after: number }
  | { readonly kind: 'stopped' | 'cut_short' };

export type ChatActivity =
  | { readonly kind: 'waiting' | 'thinking' | 'writing' | 'compacting' | 'stopping' }
  | { readonly kind: 'preparing'; readonly name: string }
  | { readonly kind: 'tools'; readonly count: number }
  | { readonly kind: 'retrying'; readonly who: string; readonly at: number };

/** What a tool or the gate asks. Whoever's chat it is answers. */
export interface ChatQuestion {
  readonly id: string;
  readonly text: string;
  /** In a question of the gate the first one refuses. */
  readonly choices: readonly string[];
  readonly askedAt: number;
  /** When it counts as not answered. */
  readonly until: number;
  /** Present when agreement is asked for: exactly what would run, and why somebody has to agree. */
  readonly approval?: Pick<Approval, 'id' | 'reasons' | 'separate'> & {
    readonly tool: string;
    readonly level: number;
    readonly shown: string;
  };
}

export interface ChatStatus {
  readonly title?: string;
  /** `provider/model`; absent for the built-in operator. */
  readonly model?: string;
  readonly context: { readonly used: number; readonly window: number };
  /** US dollars. */
  readonly cost: number;
  /** Present while a turn runs. */
  readonly running?: {
    readonly turn: number;
    readonly since: number;
    readonly activity: ChatActivity;
    readonly budget?: { readonly used: number; readonly limit: number };
  };
  /** A slash command runs. */
  readonly busy: boolean;
  /** What was said to the running turn and has not reached it. */
  readonly waiting: readonly string[];
}

export interface ChatSnapshot {
  readonly session: string;
  readonly source: string;
  readonly cwd?: string;
  /** The newest; those before `first` can be asked for. */
  readonly items: readonly ChatItem[];
  readonly first: number;
  readonly status: ChatStatus;
  readonly questions: readonly ChatQuestion[];
}

/** What listeners are told. A snapshot takes the place of everything before it. */
export interface ChatEvents {
  snapshot: ChatSnapshot;
  put: { readonly index: number; readonly item: ChatItem };
  /** Text behind that of an item. */
  grow: { readonly index: number; readonly text: string };
  status: ChatStatus;
  questions: readonly ChatQuestion[];
}

/** `seq`: where it stands in the conversation, as long as this process holds it open. */
export type ChatEvent = {
  [K in keyof ChatEvents]: { readonly type: K; readonly data: ChatEvents[K]; readonly seq: number };
}[keyof ChatEvents];

/** A conversation in the list. */
export interface ChatEntry {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly updatedAt: number;
  readonly messages: number;
  readonly running: boolean;
  /** It waits for an answer of its person. */
  readonly asking: boolean;
}

export interface CallDetail {
  readonly name: string;
  readonly arguments: string;
  /** Absent while it runs. */
  readonly result?: {
    readonly text: string;
    readonly isError: boolean;
    readonly images: readonly ChatImage[];
  };
}

/** Where a command leads: another session, a new conversation, or away. */
export interface CommandOutcome {
  readonly session?: string;
  readonly go?: 'new' | 'list';
}

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
export type ChatAnswer = { readonly choice: number } | { readonly text: string } | { readonly none: true };

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

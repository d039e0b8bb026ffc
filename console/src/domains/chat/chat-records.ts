import type { ErrorRecord, ImagePart, NextStep } from '#spec/data';

/** What the API of conversations gives. Times are milliseconds since the epoch. */

export interface ChatEntry {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly updatedAt: number;
  readonly messages: number;
  readonly running: boolean;
  readonly asking: boolean;
}

export interface ChatImage {
  readonly message: string;
  readonly part: number;
}

export interface ToolItem {
  readonly kind: 'tool';
  readonly call: string;
  readonly name: string;
  readonly arguments: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly at: number;
  readonly progress?: string;
  readonly summary?: string;
  readonly ms?: number;
}

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
  | { readonly kind: 'steer' | 'unsaid' | 'notice'; readonly text: string }
  | { readonly kind: 'command'; readonly line: string; readonly text: string }
  | { readonly kind: 'attempt'; readonly error: ErrorRecord; readonly next: NextStep }
  | { readonly kind: 'error'; readonly error: ErrorRecord }
  | { readonly kind: 'compacted'; readonly before: number; readonly after: number }
  | { readonly kind: 'stopped' | 'cut_short' };

type ChatActivity =
  | { readonly kind: 'waiting' | 'thinking' | 'writing' | 'compacting' | 'stopping' }
  | { readonly kind: 'preparing'; readonly name: string }
  | { readonly kind: 'tools'; readonly count: number }
  | { readonly kind: 'retrying'; readonly who: string; readonly at: number };

export interface ChatQuestion {
  readonly id: string;
  readonly text: string;
  readonly choices: readonly string[];
  readonly askedAt: number;
  readonly until: number;
  readonly approval?: {
    readonly id: string;
    readonly tool: string;
    readonly level: number;
    readonly shown: string;
    readonly reasons: readonly string[];
    readonly separate: boolean;
  };
}

export interface ChatStatus {
  readonly title?: string;
  readonly model?: string;
  readonly context: { readonly used: number; readonly window: number };
  readonly cost: number;
  readonly running?: {
    readonly turn: number;
    readonly since: number;
    readonly activity: ChatActivity;
    readonly budget?: { readonly used: number; readonly limit: number };
  };
  readonly busy: boolean;
  readonly waiting: readonly string[];
}

export interface ChatSnapshot {
  readonly session: string;
  readonly source: string;
  readonly cwd?: string;
  readonly items: readonly ChatItem[];
  readonly first: number;
  readonly status: ChatStatus;
  readonly questions: readonly ChatQuestion[];
}

export interface CallDetail {
  readonly name: string;
  readonly arguments: string;
  readonly result?: {
    readonly text: string;
    readonly isError: boolean;
    readonly images: readonly ChatImage[];
  };
}

export interface SlashCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
}

export interface CommandOutcome {
  readonly session?: string;
  readonly go?: 'new' | 'list';
}

export type SentImage = Omit<ImagePart, 'type'>;

export type ChatAnswer = { readonly choice: number } | { readonly text: string } | { readonly none: true };

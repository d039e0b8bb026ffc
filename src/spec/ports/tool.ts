import type { z } from 'zod';

import type { Approval, Audience, MachineReading, Text, Todo, UserPart } from '#spec/data';
import type { Commands } from './commands.ts';
import type { Files } from './files.ts';
import type { Logger } from './logger.ts';
import type { Missing } from './missing.ts';
import type { WebClient } from './web-client.ts';

/** How far a call reaches: 0 reads, 1 adds, 2 changes or runs, 3 is sensitive and asks a person. */
export type EffectLevel = 0 | 1 | 2 | 3;

/**
 * Asks the person on the other side. Resolves to undefined when they do not answer. The signal takes the question back,
 * for one that was settled elsewhere. `approval`: the question is a request for agreement, and the first choice refuses.
 * `agreeing`: choices that, like words of one's own, only somebody who may agree to something can give, where people have
 * roles.
 */
export type AskUser = (
  question: string,
  choices: readonly string[],
  signal?: AbortSignal,
  approval?: Approval,
  agreeing?: readonly string[],
) => Promise<string | undefined>;

export interface RecalledMessage {
  readonly session: string;
  readonly title: string;
  readonly at: number;
  readonly role: string;
  readonly text: string;
  readonly score: number;
}

/** Past conversations of the same audience. */
export interface SessionRecall {
  search(query: string, limit: number): Promise<readonly RecalledMessage[]>;
  recent(
    limit: number,
  ): Promise<readonly { readonly session: string; readonly title: string; readonly at: number }[]>;
}

/** What is known of a place before anything runs there. */
export interface ToolPlace {
  /** Absent where nobody can be asked. */
  readonly ask?: AskUser;
  /** A key of the profile by the name of its variable, such as `GITHUB_TOKEN`. */
  key(name: string): string | undefined;
  /** The path of a program on this machine. */
  program(name: string): string | undefined;
  /** Whether a model that sees pictures can be asked. */
  readonly sees: boolean;
}

/** Asks a model one question outside of the conversation; undefined where there is none. */
export type AskModel = (
  question: readonly UserPart[],
  options: { readonly maxOutput: number; readonly signal: AbortSignal },
) => Promise<string | undefined>;

/** What a running call has at hand. */
export interface ToolContext extends ToolPlace {
  readonly call: string;
  readonly session: string;
  /** The language of whoever reads what the call says; undefined: that of its material. */
  readonly language?: 'en' | 'zh';
  readonly audience: Audience;
  readonly signal: AbortSignal;
  readonly files: Files;
  readonly recall: SessionRecall;
  readonly commands: Commands;
  readonly web: WebClient;
  readonly askModel: AskModel;
  /** For whoever runs Hermes. What the reader of the call must know stands in its result. */
  readonly log: Logger;
  /** Runs another tool as if the model had called it: it is checked, asked about, bounded and recorded alike. */
  callTool(name: string, input: unknown): Promise<ToolResult>;
  /** Keeps bytes beside the conversation and tells the path under which `read_file` finds them. */
  keep(name: string, bytes: Uint8Array): Promise<string>;
  /** Something that lives as long as the conversation: opened at the first call, closed with it. */
  hold<T extends { close(): Promise<void> }>(name: string, open: () => Promise<T>): Promise<T>;
  /** The plan of the session; it outlives compaction. */
  readonly todos: { read(): readonly Todo[]; write(todos: readonly Todo[]): void };
  /** Shows a line of progress. */
  update(text: string): void;
}

/** The part of a context that is the same for every call of a conversation. */
export type ToolPowers = Omit<
  ToolContext,
  'call' | 'session' | 'language' | 'audience' | 'signal' | 'ask' | 'todos' | 'update' | 'callTool'
>;

/** What a call gave: `content` for the model, one line for people, and data for whoever wants more. */
export interface ToolResult {
  readonly content: readonly UserPart[];
  readonly summary: string;
  readonly isError?: boolean;
  /** It was not let run. */
  readonly denied?: boolean;
  readonly data?: unknown;
  /** Somebody else goes on from here: the turn is over once every call beside this one has its result. */
  readonly endsTurn?: boolean;
}

/** Paths or other names that a call reads and writes; calls that do not collide may run side by side. */
export interface Footprint {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

/** What a call would do to the world, as far as the gate has to know. */
export interface Deed {
  /** A command line that a shell would run. */
  readonly command?: {
    readonly text: string;
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly backend?: string;
    readonly background?: boolean;
    /** What it reads from its standard input. */
    readonly input?: string;
    /**
     * The command is this reading of the closed list, and its text is the line of it. Of a sandbox on this machine it is
     * taken outside.
     */
    readonly reading?: MachineReading;
  };
  /** Text that a process in the background would read: what it does with it depends on what was started. */
  readonly feeds?: { readonly process: string; readonly text: string };
  /** Code that would run, and in what. */
  readonly code?: { readonly language: string; readonly text: string };
  /** Files that would be written. */
  readonly writes?: readonly string[];
  /** Hosts, chats or people that something would be sent to. */
  readonly sendsTo?: readonly string[];
  /** What the result brings into the conversation: words of strangers, or things that are nobody else's business. */
  readonly brings?: readonly ('untrusted' | 'private')[];
  /** A person has to agree, for this reason, whatever the level says. */
  readonly confirm?: Text | string;
  /** It may not happen at all, for this reason. */
  readonly refuse?: string;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly toolset: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  effect(input: Input): EffectLevel;
  /** The level of every call, whatever is asked for: nothing in an input can make it reach further. */
  readonly level?: EffectLevel;
  /** Undefined: the call must run alone. */
  footprint?(input: Input): Footprint | undefined;
  /** More about a call than its level. What it runs, writes or sends has to stand here. */
  deed?(input: Input): Deed;
  /** What is missing for the tool to work here. A tool that lacks something is not shown to the model. */
  missing?(place: ToolPlace): Missing | undefined;
  /** Loaded through `tool_search` instead of standing in every prompt. */
  readonly deferred?: boolean;
  /** Longer results are cut in the middle. */
  readonly maxChars?: number;
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** Keeps the type of the input between its schema and what uses it. */
export const defineTool = <Input>(tool: Tool<Input>): Tool => tool;

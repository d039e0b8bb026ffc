import type { z } from 'zod';
import type { Audience, Todo, UserPart } from '#spec/data';
import type { Files } from './files.ts';

/** How far a call reaches: 0 reads, 1 adds, 2 changes or runs, 3 is sensitive and asks a person. */
export type EffectLevel = 0 | 1 | 2 | 3;

/** Asks the person on the other side. Resolves to undefined when they do not answer. */
export type AskUser = (question: string, choices: readonly string[]) => Promise<string | undefined>;

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

/** What a running call has at hand. */
export interface ToolContext {
  readonly call: string;
  readonly session: string;
  readonly audience: Audience;
  readonly signal: AbortSignal;
  readonly files: Files;
  readonly recall: SessionRecall;
  /** Absent where nobody can be asked. */
  readonly ask?: AskUser;
  /** The plan of the session; it outlives compaction. */
  readonly todos: { read(): readonly Todo[]; write(todos: readonly Todo[]): void };
  /** Shows a line of progress. */
  update(text: string): void;
}

/** What a call gave: `content` for the model, one line for people, and data for whoever wants more. */
export interface ToolResult {
  readonly content: readonly UserPart[];
  readonly summary: string;
  readonly isError?: boolean;
  readonly data?: unknown;
}

/** Paths or other names that a call reads and writes; calls that do not collide may run side by side. */
export interface Footprint {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly toolset: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  effect(input: Input): EffectLevel;
  /** Undefined: the call must run alone. */
  footprint?(input: Input): Footprint | undefined;
  /** Whether the tool can work here at all. A tool that cannot is not shown to the model. */
  available?(context: Pick<ToolContext, 'ask'>): boolean;
  /** Loaded through `tool_search` instead of standing in every prompt. */
  readonly deferred?: boolean;
  /** Longer results are cut in the middle. */
  readonly maxChars?: number;
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** Keeps the type of the input between its schema and what uses it. */
export const defineTool = <Input>(tool: Tool<Input>): Tool => tool;

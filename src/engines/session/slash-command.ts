import type { Language } from '#kit/language';
import type { AgentEvent, UserPart } from '#spec/data';
import type { Checkpoints } from '#spec/ports';
import type { ApprovalsDesk } from './approvals-desk.ts';
import type { SlashResult } from './conversation.ts';
import type { SessionState } from './session-state.ts';

/** What a slash command may do with the conversation it is typed in. */
export interface CommandScope {
  readonly state: SessionState;
  readonly language: Language;
  readonly signal: AbortSignal;
  readonly commands: readonly { readonly name: string; readonly usage: string; readonly summary: string }[];
  readonly desk: ApprovalsDesk;
  /** Absent where no workspace is kept. */
  readonly checkpoints?: Checkpoints | undefined;
  /** Why there are none. */
  readonly noCheckpoints?: string | undefined;
  /** What a session is called; undefined for one of somebody else. */
  titleOf(session: string): Promise<string | undefined>;
  /** Leaves this session and begins another; the old one stays in the store. */
  begin(): void;
  /** Goes on in a copy of this session. */
  fork(): Promise<void>;
  /** Goes on in a stored session; false when there is none of that id. */
  resume(id: string): Promise<boolean>;
  /** Makes room now, and tells what happened; `context.compacted` is among it where some was made. */
  compress(): Promise<readonly AgentEvent[]>;
  /** Takes the last turn back and gives what the user had said in it. */
  undo(): Promise<readonly UserPart[] | undefined>;
  /** What answers, or what answers from now on. */
  model(ref?: string): Promise<string | undefined>;
  /** The window and what fills it, in tokens. */
  breakdown(): Promise<readonly { readonly name: string; readonly tokens: number }[]>;
}

export interface SlashCommand {
  readonly summary: Readonly<Record<Language, string>>;
  readonly usage?: string;
  readonly aliases?: readonly string[];
  run(args: string, scope: CommandScope): Promise<SlashResult>;
}

export const defineSlashCommand = (command: SlashCommand): SlashCommand => command;

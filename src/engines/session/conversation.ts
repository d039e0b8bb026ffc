import type { EventStream } from '#kit/event-stream';
import type { AgentEvent, Session, StoredMessage, Usage, UserPart } from '#spec/data';
import type { AskUser } from '#spec/ports';

/** How a turn ended, for whoever awaits it. */
export interface TurnResult {
  readonly status: 'done' | 'failed' | 'aborted';
  readonly calls: number;
  /** What the user said too late for this turn: the beginning of the next one. */
  readonly leftover: readonly string[];
}

/** A slash command as a menu shows it. */
export interface SlashCommandInfo {
  /** With the slash. */
  readonly name: string;
  readonly summary: string;
  /** How arguments are written, such as `[title]`; empty when it takes none. */
  readonly usage: string;
}

/** What a slash command did. `text` is Markdown for the user. */
export interface SlashResult {
  readonly text: string;
  /** The transcript on screen no longer fits the conversation: show it anew. */
  readonly reload?: boolean;
  /** Send this as the next message. */
  readonly resend?: readonly UserPart[];
  readonly leave?: boolean;
  /** A question to be put once the text is shown; `line` is the command that a yes means. */
  readonly next?: { readonly question: string; readonly line: string };
}

/** One conversation, as every front end drives it. */
export interface Conversation {
  readonly session: Session;
  /** `provider/model` that answers, or undefined for the built-in operator. */
  readonly model: string | undefined;
  /** Tokens of the window filled by the last request, and the window. */
  readonly context: { readonly used: number; readonly window: number };
  readonly total: { readonly usage: Usage; readonly cost: number };
  /** What has been said, in order; what was compacted is represented by its digest. */
  messages(): Promise<readonly StoredMessage[]>;
  /** Runs a turn; one at a time. Aborting the signal interrupts it and leaves a valid conversation. */
  send(content: readonly UserPart[], signal: AbortSignal): EventStream<AgentEvent, TurnResult>;
  /** Says something to a running turn. */
  steer(text: string): void;
  /** Lets tools ask the user. */
  onAsk(ask: AskUser): void;
  readonly commands: readonly SlashCommandInfo[];
  /** Runs a line that starts with a slash. */
  command(line: string, signal: AbortSignal): Promise<SlashResult>;
}

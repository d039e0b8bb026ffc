import type { SpanContext } from '#spec/ports';
import type { ErrorRecord, Message, ModelRequest, ToolSpec, Usage } from '#spec/data';

/** Where a conversation that is served lives: in the request alone, in a new session, or in one that is there. */
export type Keeping =
  | { readonly kind: 'passing' }
  | { readonly kind: 'new' }
  | { readonly kind: 'session'; readonly id: string }
  /** After a turn of a session; when others came after it, a copy goes on from there. `keep`: what is said now. */
  | { readonly kind: 'after'; readonly session: string; readonly turn: number; readonly keep: boolean };

/** One request of a program, whatever wire it came over. */
export interface ServedRequest {
  /** Who asks, as the server has found out. */
  readonly user: string;
  /** `hermes`, `hermes/<provider>/<model>` or `<provider>/<model>`. */
  readonly model: string;
  readonly instructions?: string | undefined;
  /** Tools that the one who asks runs itself. */
  readonly tools: readonly ToolSpec[];
  /** What was said, oldest first. The last one is of the user, or a result of one of `tools`. */
  readonly messages: readonly Message[];
  readonly keeping: Keeping;
  readonly settings: Pick<ModelRequest, 'temperature' | 'maxOutput' | 'thinking'>;
  readonly trace?: SpanContext | undefined;
}

/** A call that the one who asked has to run. */
export interface HandedCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** What the agent does meanwhile, for a person who waits. */
export type Progress =
  | { readonly type: 'tool.started'; readonly call: string; readonly name: string }
  | {
      readonly type: 'tool.ended';
      readonly call: string;
      readonly name: string;
      readonly isError: boolean;
      readonly ms: number;
      readonly summary: string;
    }
  | { readonly type: 'notice'; readonly text: string };

export type Finish = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** How a turn ended. `calls` are open exactly when it finished with `tool_calls`. */
export type Ending = { readonly usage: Usage } & (
  | { readonly status: 'done'; readonly finish: Finish; readonly calls: readonly HandedCall[] }
  | { readonly status: 'failed'; readonly error: ErrorRecord }
  | { readonly status: 'aborted' }
);

/** `ended` comes once, as the last; `began` whenever a model begins to answer. */
export type ServedEvent =
  | { readonly type: 'began'; readonly model: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'ended'; readonly ending: Ending };

/** A turn that has begun. It runs whether or not anyone iterates; its events can be iterated once. */
export interface ServedTurn {
  /** Where it is kept; absent when it is not. */
  readonly kept?: { readonly session: string; readonly turn: number };
  readonly events: AsyncIterable<ServedEvent>;
}

export interface ServedModel {
  readonly id: string;
  /** `provider/model` that answers under this name; absent for the built-in operator. */
  readonly answers?: string;
}

/** A turn of a session. */
export interface TurnPlace {
  readonly session: string;
  readonly turn: number;
}

/** Something that a turn was begun with. */
export interface KeptItem {
  readonly id: string;
  readonly message: Message;
}

/** A turn as it is kept. How long its answer might be, and what else was asked for, is not. */
export interface KeptTurn extends TurnPlace {
  readonly createdAt: number;
  readonly status: 'running' | 'done' | 'failed' | 'aborted';
  readonly error?: ErrorRecord;
  /** `provider/model`. */
  readonly model: string | undefined;
  readonly instructions: string | undefined;
  /** Those of the client. */
  readonly tools: readonly ToolSpec[];
  /** What it went on from. */
  readonly previous?: TurnPlace;
  readonly input: readonly KeptItem[];
  readonly text: string;
  /** Calls that the client ran or has to run. */
  readonly calls: readonly HandedCall[];
  readonly usage: Usage;
}

/** The agent of one home, as programs use it. */
export interface ServedAgent {
  models(): Promise<readonly ServedModel[]>;
  /**
   * Begins a turn and waits for the first sign of an answer, so that what fails before it is thrown. Aborting the
   * signal interrupts the turn.
   */
  run(request: ServedRequest, signal: AbortSignal): Promise<ServedTurn>;
  /** A kept turn of this user. Throws `input.not_found`. */
  kept(user: string, place: TurnPlace): Promise<KeptTurn>;
  /** Takes a kept turn away. Throws `input.not_found`, or `input.conflict` while it runs. */
  forget(user: string, place: TurnPlace): Promise<void>;
  /** Interrupts a kept turn where it still runs, and gives what it came to. */
  interrupt(user: string, place: TurnPlace): Promise<KeptTurn>;
}

import type { ErrorRecord } from './error.ts';
import type { ModelEvents } from './model.ts';
import type { Todo } from './todo.ts';
import type { Usage } from './usage.ts';

/**
 * One envelope for every event of the system. `seq` grows by one within a `stream` (a session, an incident),
 * so that a reader can resume after the last one it saw. Facts are named in the past tense and stored;
 * all others are live only, and carry the `seq` of the fact before them.
 */
export type Envelope<Map> = {
  [K in keyof Map]: {
    readonly id: string;
    readonly seq: number;
    /** ISO 8601, UTC. */
    readonly at: string;
    readonly stream: string;
    readonly type: K;
    readonly data: Map[K];
  };
}[keyof Map];

/** What a turn leaves behind. Stored, replayable after a `seq`. */
export interface AgentFacts {
  'turn.started': { readonly turn: number; readonly text: string };
  'message.added': { readonly message: string; readonly role: 'user' | 'assistant' | 'tool' };
  'tool.started': { readonly call: string; readonly name: string; readonly arguments: string };
  'tool.ended': {
    readonly call: string;
    readonly name: string;
    readonly isError: boolean;
    /** The gate, or whoever was asked, said no. */
    readonly denied?: boolean;
    readonly ms: number;
    /** One line for a person. */
    readonly summary: string;
  };
  'usage.recorded': {
    readonly usage: Usage;
    readonly cost?: number;
    /** `provider/model`. */
    readonly model: string;
    /** Tokens that the request filled of the window. */
    readonly context: number;
    readonly window: number;
    /** How long the call took, other attempts included, and when the first piece of its answer came. */
    readonly ms?: number;
    readonly firstMs?: number;
  };
  'context.compacted': {
    readonly how: 'pruned' | 'digested' | 'summarised';
    readonly before: number;
    readonly after: number;
    readonly archived: number;
  };
  'steering.applied': { readonly text: string };
  'plan.changed': { readonly todos: readonly Todo[] };
  'turn.ended': {
    readonly turn: number;
    readonly status: 'done' | 'failed' | 'aborted';
    readonly calls: number;
    readonly error?: ErrorRecord;
  };
}

/** What is shown while it happens and then forgotten. */
export interface AgentLive extends ModelEvents {
  /** An assistant message that goes on with tool calls, complete. */
  'message.interim': { readonly text: string };
  'tool.update': { readonly call: string; readonly text: string };
  'budget.update': { readonly used: number; readonly limit: number };
  'compaction.start': { readonly tokens: number; readonly window: number };
  /** Something that the user should know about this turn. */
  notice: { readonly text: string };
}

/** Everything an agent turn tells its listeners. */
export interface AgentEvents extends AgentFacts, AgentLive {}

export type AgentEvent = Envelope<AgentEvents>;

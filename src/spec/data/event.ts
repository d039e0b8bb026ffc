import type { ModelEvents } from './model.ts';

/**
 * One envelope for every event of the system. `seq` grows by one within a `stream` (a session, an incident),
 * so that a reader can resume after the last one it saw. Names of facts are in the past tense and are stored;
 * all others are live only.
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

/** Everything an agent turn tells its listeners. */
export interface AgentEvents extends ModelEvents {
  'turn.started': { readonly text: string };
  'turn.ended': { readonly status: 'done' | 'failed' | 'aborted' };
}

export type AgentEvent = Envelope<AgentEvents>;

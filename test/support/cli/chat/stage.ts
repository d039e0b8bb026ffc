import type { AgentEvents, Message } from '#spec/data';
import type { AskUser } from '#spec/ports';

/** What a script has at hand to play a turn. */
export interface Stage {
  readonly said: string;
  readonly signal: AbortSignal;
  emit<K extends keyof AgentEvents>(type: K, data: AgentEvents[K]): void;
  /** Resolves to false when the turn is interrupted meanwhile. */
  wait(ms: number): Promise<boolean>;
  text(words: string, pieces?: number, ms?: number): Promise<void>;
  tool(
    call: string,
    name: string,
    input: unknown,
    ms: number,
    summary: string,
    failed?: boolean,
  ): Promise<void>;
  ask: AskUser;
  /** What has been said to the turn, taken away. */
  steering(): string[];
  record(message: Message): void;
}

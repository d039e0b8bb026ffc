import type { MemoryScope, StoredMessage } from '#spec/data';
import type { FinishedTurn } from './experience-of.ts';

/** A turn as a conversation tells of it. */
interface EndedTurn {
  readonly session: string;
  readonly turn: number;
  readonly status: FinishedTurn['status'];
  readonly calls: number;
  readonly messages: readonly StoredMessage[];
}

/** An ended turn with what learning wants to know beside its messages: whose it was, what it cost, when. */
export function finishedTurn(ended: EndedTurn, scope: MemoryScope): FinishedTurn {
  const { session, turn, status, calls, messages } = ended;
  const times = messages.map(({ at }) => at);
  const tokens = messages.reduce((sum, { usage }) => {
    if (!usage) return sum;
    return sum + usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  }, 0);
  return {
    session,
    turn,
    scope,
    status,
    calls,
    tokens,
    messages: messages.map(({ message }) => message),
    startedAt: times[0] ?? 0,
    endedAt: times.at(-1) ?? 0,
  };
}

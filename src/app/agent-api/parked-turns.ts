import type { Message } from '#spec/data';

const MOST = 500;
const HOUR = 60 * 60 * 1_000;

/**
 * What a client that keeps its own history never sees: the calls and results of our tools before a call that it has to
 * run. When it comes back with the result, they take the place of the one message that it knows.
 */
interface ParkedTurns {
  /** `calls`: ids of the open calls. `steps`: everything after the user's message. */
  keep(user: string, calls: readonly string[], steps: readonly Message[]): void;
  /** Puts the steps back. A message that is not known, or no longer, stays as the client sent it. */
  restore(user: string, messages: readonly Message[]): readonly Message[];
}

export function parkedTurns(now: () => number): ParkedTurns {
  const parked = new Map<string, { readonly steps: readonly Message[]; readonly until: number }>();
  const key = (user: string, calls: readonly string[]) => JSON.stringify([user, ...calls]);
  const drop = () => {
    for (const [each, { until }] of parked) {
      // In the order of keeping: the first that still holds ends the search.
      if (until > now() && parked.size <= MOST) return;
      parked.delete(each);
    }
  };
  return {
    keep: (user, calls, steps) => {
      parked.set(key(user, calls), { steps, until: now() + HOUR });
      drop();
    },
    restore: (user, messages) => {
      drop();
      return messages.flatMap((message) => {
        if (message.role !== 'assistant') return [message];
        const calls = message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
        return (calls.length ? parked.get(key(user, calls))?.steps : undefined) ?? [message];
      });
    },
  };
}

import type { AskModel, AskUser } from '#spec/ports';

/** Who is behind a running call, as far as a server may turn to them. */
export interface Caller {
  readonly session: string;
  readonly ask?: AskUser;
  readonly askModel?: AskModel;
  /** Requests to the model that this call has led to. */
  sampled: number;
  /** Questions to the person that it has led to. */
  asked: number;
  /** Stops the clock of the call while somebody is asked. */
  hold(): () => void;
}

/**
 * The calls that run at a server. A question of the server belongs to one of them, and the wire does not say to which:
 * it is passed on only while all calls are of one conversation, so that nobody is asked on behalf of another.
 */
export interface Callers {
  enter(caller: Caller): () => void;
  only(): Caller | undefined;
}

export function openCallers(): Callers {
  const running = new Set<Caller>();
  return {
    enter(caller) {
      running.add(caller);
      return () => running.delete(caller);
    },
    only() {
      const [first, ...others] = running;
      return first && others.every(({ session }) => session === first.session) ? first : undefined;
    },
  };
}

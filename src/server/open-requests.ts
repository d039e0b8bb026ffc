import type { Session } from './sessions.ts';

/** The session that a browser listens with. */
type StreamSession = Pick<Session, 'family' | 'endsAt'>;

/** One request while it is served. */
export interface OpenRequest {
  readonly signal: AbortSignal;
  /** It sends as long as the peer listens, and as long as they are signed in who do so with a session. */
  streaming(session?: StreamSession): void;
  end(): void;
  abort(): void;
}

export interface OpenRequests {
  begin(): OpenRequest;
  requests(): number;
  streams(): number;
  /** Streams end now: all of them, or those of a session. */
  endStreams(family?: string): void;
  abortAll(): void;
  /** Resolves as soon as none is open. */
  none(): Promise<void>;
}

interface OpenState {
  streams: boolean;
  family?: string;
  timer?: NodeJS.Timeout;
}

/** What is being served, so that closing can wait for it. */
export function openRequests(now: () => number): OpenRequests {
  const open = new Map<OpenRequest, OpenState>();
  let waiting: (() => void)[] = [];
  let ending = false;
  return {
    begin() {
      const controller = new AbortController();
      const state: OpenState = { streams: false };
      const request: OpenRequest = {
        signal: controller.signal,
        streaming(session) {
          state.streams = true;
          if (ending) controller.abort();
          if (!session) return;
          state.family = session.family;
          state.timer = setTimeout(() => controller.abort(), session.endsAt - now());
          state.timer.unref();
        },
        abort: () => controller.abort(),
        end() {
          open.delete(request);
          clearTimeout(state.timer);
          if (open.size) return;
          for (const wake of waiting) wake();
          waiting = [];
        },
      };
      open.set(request, state);
      return request;
    },
    requests: () => open.size,
    streams: () => [...open.values()].filter(({ streams }) => streams).length,
    endStreams(family) {
      ending ||= family === undefined;
      for (const [request, state] of open)
        if (state.streams && (family === undefined || state.family === family)) request.abort();
    },
    abortAll() {
      for (const request of open.keys()) request.abort();
    },
    none: () => (open.size ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()),
  };
}

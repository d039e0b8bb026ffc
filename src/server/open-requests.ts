/** One request while it is served. */
export interface OpenRequest {
  readonly signal: AbortSignal;
  /** It sends as long as the peer listens. */
  streaming(): void;
  end(): void;
  abort(): void;
}

export interface OpenRequests {
  begin(): OpenRequest;
  requests(): number;
  streams(): number;
  /** Streams end now. */
  endStreams(): void;
  abortAll(): void;
  /** Resolves as soon as none is open. */
  none(): Promise<void>;
}

/** What is being served, so that closing can wait for it. */
export function openRequests(): OpenRequests {
  const open = new Map<OpenRequest, { streams: boolean }>();
  let waiting: (() => void)[] = [];
  let ending = false;
  return {
    begin() {
      const controller = new AbortController();
      const state = { streams: false };
      const request: OpenRequest = {
        signal: controller.signal,
        streaming() {
          state.streams = true;
          if (ending) controller.abort();
        },
        abort: () => controller.abort(),
        end() {
          open.delete(request);
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
    endStreams() {
      ending = true;
      for (const [request, { streams }] of open) if (streams) request.abort();
    },
    abortAll() {
      for (const request of open.keys()) request.abort();
    },
    none: () => (open.size ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()),
  };
}

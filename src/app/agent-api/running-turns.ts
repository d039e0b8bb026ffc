import type { TurnPlace } from './served.ts';

interface Running {
  readonly stop: AbortController;
  readonly ended: PromiseWithResolvers<void>;
}

interface RunningTurns {
  /** `signal` of what is given back aborts with the one of the request, or when somebody interrupts the turn. */
  begin(place: TurnPlace, signal: AbortSignal): { readonly signal: AbortSignal; end(): void };
  isRunning(place: TurnPlace): boolean;
  /** Resolves when the turn has ended; at once where it does not run. */
  interrupt(place: TurnPlace): Promise<void>;
}

/** The turns that this process is answering, so that others than their reader can stop them. */
export function runningTurns(): RunningTurns {
  const running = new Map<string, Running>();
  const key = ({ session, turn }: TurnPlace) => `${session} ${turn}`;
  return {
    begin(place, signal) {
      const entry: Running = { stop: new AbortController(), ended: Promise.withResolvers() };
      running.set(key(place), entry);
      return {
        signal: AbortSignal.any([signal, entry.stop.signal]),
        end() {
          running.delete(key(place));
          entry.ended.resolve();
        },
      };
    },
    isRunning: (place) => running.has(key(place)),
    async interrupt(place) {
      const entry = running.get(key(place));
      entry?.stop.abort();
      await entry?.ended.promise;
    },
  };
}

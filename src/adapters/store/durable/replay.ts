import type { FlowFailure } from '#spec/ports';
import type { Place } from './call-order.ts';
import type { Call, Hold, Journal, LOST } from './journal.ts';

/**
 * How a run ended. `parked`: it waits, out of memory. `lost`: somebody else has it. `stopped`: this process is closing.
 * `broken`: the journal could not be written.
 */
export type RunEnd =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly failure: FlowFailure }
  | { readonly kind: 'parked' | 'lost' | 'stopped' }
  | { readonly kind: 'broken'; readonly error: Error };

export interface ReplayDeps {
  readonly hold: Hold;
  readonly calls: readonly Call[];
  readonly journal: Journal;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly closing: () => boolean;
  readonly stopped: () => boolean;
  /** Ends the run. The first end counts. */
  readonly stop: (end: RunEnd) => void;
}

/** What the calls of a context share. */
export interface Replay extends ReplayDeps {
  /**
   * Makes one call of the flow. When the run has ended, or the call may not be made, it never settles: the flow's code
   * stands still for good, and what it holds is left to the garbage collector.
   */
  call<T>(kind: Call['kind'], name: string, perform: (place: Place) => Promise<T>): Promise<T>;
  /** Waits for a write; if it could not be made, ends the run and never settles. */
  kept<T>(write: () => Promise<T | typeof LOST>): Promise<T>;
  /** Runs something that the run must not be put away or closed under. */
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** The stored value of a call; if it cannot be read, ends the run and never settles. */
  stored(found: Call): Promise<unknown>;
}

export const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

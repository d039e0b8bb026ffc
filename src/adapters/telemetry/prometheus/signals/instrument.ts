/** Labels that hold how a request ended, and which values mean that it failed. Patterns match the whole value. */
export interface Outcome {
  readonly labels: readonly string[];
  /** What callers suffer from: it makes the share of failures. */
  readonly failed: string;
  /** What is counted one by one, code by code; nothing where values are no codes. */
  readonly listed?: string;
}

/** Requests that are counted and, mostly, timed. They become rate, failures and latency. */
export interface RequestInstrument {
  readonly kind: 'requests';
  /** `duration`: `_count`, `_sum` and `_bucket` follow the name. `counter`: the name is that of the counter. */
  readonly shape: 'duration' | 'counter';
  readonly family: string;
  /** Of a duration. */
  readonly unit?: 'seconds' | 'milliseconds';
  readonly side: 'server' | 'client';
  readonly outcome?: Outcome;
  /** A counter of its own for what failed. */
  readonly failedFamily?: string;
  /** Matchers that always hold, such as `reporter="destination"`. */
  readonly where?: string;
  /** Labels that name the service, in place of the usual ones. */
  readonly services?: readonly string[];
  /** Labels that name the service at the other end. */
  readonly peers?: readonly string[];
  readonly versions?: readonly string[];
  /** Put before its names where another instrument has measured the same already; without it, it gives way. */
  readonly prefix?: string;
}

/** One number of a service: a resource, a pool, a queue. */
export interface LevelInstrument {
  readonly kind: 'level';
  /** The name of the signal. It says what is measured. */
  readonly metric: string;
  readonly family: string;
  /** `rate` and `increase` are of counters; `until` is the time from now to an instant that the value names. */
  readonly as: 'gauge' | 'rate' | 'increase' | 'until';
  /** How the series of one service become one. */
  readonly fold: 'sum' | 'max' | 'min' | 'avg';
  /** Divided by the sum of these. */
  readonly per?: readonly string[];
  readonly scale?: number;
  readonly where?: string;
  readonly services?: readonly string[];
}

export type Instrument = RequestInstrument | LevelInstrument;

export const HTTP_FAILED = '5..|429';
export const HTTP_LISTED = '[45]..';

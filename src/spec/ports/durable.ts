import type { z } from 'zod';
import type { ErrorRecord } from '#spec/data';

/**
 * A procedure that outlives its process. `run` may be executed many times, from its beginning, by any process: what
 * its context has journalled is given back instead of done again. So `run` decides by nothing but its input and what
 * the context gave it, touches the world only inside steps, and holds nothing open across a wait: a waiting flow is not
 * in memory, and its `finally` blocks do not run when it is put away.
 *
 * Steps may be started together and awaited together; starting a further one while some of them are open and others
 * have ended is refused, because a replay could not follow that order.
 */
export interface Flow<Input = unknown, Output = unknown> {
  readonly name: string;
  /**
   * Raised with every change of the order or the names of calls. An instance keeps the version it began with. A process
   * that knows only newer ones fails it with the reason `version`; one that knows only older ones leaves it alone.
   */
  readonly version: number;
  /** Of what the input is as JSON. */
  readonly input: z.ZodType<Input>;
  run(context: FlowContext, input: Input): Promise<Output>;
}

export const defineFlow = <Input, Output>(flow: Flow<Input, Output>): Flow<Input, Output> => flow;

export interface StepOptions {
  /** `pure`: may run again at will. `keyed`: may run again, and its target takes the same `key` only once. */
  readonly effect: 'pure' | 'keyed';
  /** How often to try again, unless the error says that it is of no use. */
  readonly retries?: number;
  /** After this the attempt has failed, whether or not it obeyed its signal. */
  readonly timeoutMs?: number;
}

/** What the body of a step is told. */
export interface Attempt {
  /** The same for every attempt at this step, in whatever process; for no other step. */
  readonly key: string;
  /** Grows with every change of hands. A target that remembers the highest one it saw can refuse an older holder. */
  readonly fence: number;
  /** From 1, in this process. */
  readonly number: number;
  /** Aborts when the step runs out of time, the flow has been taken over, or the engine is closing. */
  readonly signal: AbortSignal;
  /** False once another process has taken the flow over. To be asked right before an effect. */
  stillMine(): Promise<boolean>;
}

/**
 * What is known of something that must not be done twice. `uncertain`: it was begun and there is no result, because the
 * process ended (`lost`) or the body threw. It is not repeated: look at the target, then decide.
 */
export type OnceOutcome<T> =
  | { readonly status: 'done'; readonly value: T }
  | {
      readonly status: 'uncertain';
      readonly key: string;
      readonly begunAt: number;
      readonly because: 'lost' | ErrorRecord;
    };

export interface FlowSignal {
  readonly name: string;
  readonly key: string;
  readonly payload: unknown;
  readonly at: number;
}

/** What a flow has. Values come back as JSON tells them, at the first run as well as on a replay. */
export interface FlowContext {
  readonly id: string;
  readonly fence: number;
  /** Aborts when the flow has been taken over or the engine is closing. */
  readonly signal: AbortSignal;
  /** Throws an `AppError` when the step has failed for good; it throws the same on a replay. */
  step<T>(name: string, options: StepOptions, run: (attempt: Attempt) => Promise<T>): Promise<T>;
  /** At most once: an intent is on disk before the body runs. */
  once<T>(
    name: string,
    run: (attempt: Attempt) => Promise<T>,
    options?: Pick<StepOptions, 'timeoutMs'>,
  ): Promise<OnceOutcome<T>>;
  /**
   * The oldest signal of one of these names that no wait has taken yet, or undefined when none came in time. A signal
   * only wakes: what it is about has to be read from the record that is the truth.
   */
  waitFor(
    names: string | readonly string[],
    options: { readonly timeoutMs: number },
  ): Promise<FlowSignal | undefined>;
  /** The end is fixed when the sleep begins; a restart does not lengthen it. */
  sleep(name: string, ms: number): Promise<void>;
  /** The time, the same on every replay. */
  now(): Promise<number>;
}

/** A flow that has just been started, or given back, waits for nothing but a process that is free. */
export type FlowState = 'running' | 'waiting' | 'done' | 'failed';

/**
 * Why a flow has failed. `threw`: its own code did. `diverged`: a replay asked for something else than the journal
 * has. `version`: nothing here can run the version it began with. `corrupt`: what is stored cannot be read. `stuck`:
 * process after process ended while running it, without one step forward.
 */
export interface FlowFailure {
  readonly reason: 'threw' | 'diverged' | 'version' | 'corrupt' | 'stuck';
  readonly error: ErrorRecord;
}

/** One call that a flow made, in the order of calling. `begun`: there is no end of it yet, or the process went away. */
export interface FlowCall {
  readonly kind: 'step' | 'once' | 'wait' | 'sleep' | 'now';
  readonly name: string;
  readonly state: 'begun' | 'done' | 'failed' | 'uncertain';
  /** When it began; of a step, when it ended. */
  readonly at: number;
  /** What it gave; undefined when it cannot be read. */
  readonly value?: unknown;
}

export interface FlowRecord {
  readonly id: string;
  readonly flow: string;
  readonly version: number;
  readonly state: FlowState;
  /** As it was given; undefined when it cannot be read. */
  readonly input: unknown;
  readonly fence: number;
  /** Of a waiting flow: the signals that would wake it, and when it wakes by itself. */
  readonly waitsFor?: readonly string[];
  readonly wakesAt?: number;
  readonly output?: unknown;
  readonly failure?: FlowFailure;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The journal so far. A list of flows leaves it out. */
  readonly calls?: readonly FlowCall[];
}

export interface FlowFilter {
  readonly flow?: string;
  readonly states?: readonly FlowState[];
  readonly limit: number;
}

/**
 * Runs flows and keeps their journals. Many processes may share one store: each flow is run by one of them at a time,
 * which holds a lease and a fence; after losing them it can write nothing. A completed step never runs again; an
 * effect inside a step is at least once (`step`) or at most once (`once`), never exactly once.
 */
export interface DurableEngine {
  /** False: a flow of this id exists already, whatever its state, and nothing has changed. */
  start<Input>(flow: Flow<Input>, id: string, input: Input): Promise<boolean>;
  /**
   * Kept until a wait takes it, also when none has begun; a second one of the same name and key changes nothing.
   * False: there is no such flow, or it has ended.
   */
  signal(id: string, name: string, payload: unknown, key: string): Promise<boolean>;
  get(id: string): Promise<FlowRecord | undefined>;
  /** Newest first. */
  list(filter: FlowFilter): Promise<readonly FlowRecord[]>;
  /** Looks now for what can be run here, begins to run it, and tells how many. It also looks by itself all the time. */
  resume(): Promise<number>;
  /** Resolves when the flow has ended, wherever it runs, or to undefined when `signal` aborts before. */
  ended(id: string, signal: AbortSignal): Promise<FlowRecord | undefined>;
  /** Lets running steps end for a moment, records them, and gives up what it holds. Nothing may be called afterwards. */
  close(): Promise<void>;
}

import type { z } from 'zod';
import type { Operation, ProposedAction, Rehearsal, ServiceState, Text } from '#spec/data';
import type { Missing } from './missing.ts';
import type { Probeable } from './probe.ts';

/** Under what an action is carried out. */
export interface ExecutionOrder {
  /** The same for every attempt at this action. A target that honours keys does it once. */
  readonly key: string;
  /** Grows with every change of hands: a target that remembers the highest of its scope refuses an older one. */
  readonly fence: number;
  /** The flow that the fence belongs to. Two flows may rightly hold at once: their fences are never compared. */
  readonly scope: string;
  /** The state that was agreed to. A target that is in another one is left alone. */
  readonly expects?: Rehearsal['state'];
  /** To be asked right before the effect. */
  stillMine(): Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Carries actions out. Nothing but `execute` changes anything. */
export interface Executor {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** What would happen, and the state that it would change. Read-only. */
  rehearse(action: ProposedAction, signal: AbortSignal): Promise<Rehearsal>;
  /** Resolves to one line of what was done. Throws an `AppError` when it is sure that nothing was done. */
  execute(action: ProposedAction, order: ExecutionOrder): Promise<Text>;
  /** After a crash in the middle: has it been done? Read-only. */
  reconcile(
    action: ProposedAction,
    key: string,
    before: Rehearsal['state'],
    signal: AbortSignal,
  ): Promise<{ readonly found: 'done' | 'not_done' | 'unknown'; readonly detail: Text }>;
  /** How the services run that it knows of, by name. Read-only. */
  running?(signal: AbortSignal): Promise<Readonly<Record<string, ServiceState>>>;
}

export interface ExecutorPlace {
  key(name: string): string | undefined;
  readonly now: () => number;
}

/** One kind of executor, such as `kubernetes`. `settings` is what stands under its name in `backends.yaml`. */
export interface ExecutorKind<Settings = unknown> {
  readonly name: string;
  readonly settings: z.ZodType<Settings>;
  missing?(settings: Settings, place: ExecutorPlace): Missing | undefined;
  open(settings: Settings, place: ExecutorPlace): Promise<Executor & Probeable>;
}

export const defineExecutor = <Settings>(kind: ExecutorKind<Settings>): ExecutorKind<Settings> => kind;

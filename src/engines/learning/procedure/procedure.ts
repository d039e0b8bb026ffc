/** A call of a procedure. Texts in the arguments may have slots, written `<name>`. */
export interface ProcedureStep {
  readonly tool: string;
  readonly input: unknown;
}

/** Something that differs from task to task, and where its value is found. */
export interface Slot {
  readonly name: string;
  readonly from: 'task' | 'result' | 'choice';
  /** Counted from 1; only for `result`. */
  readonly step?: number;
  readonly example: string;
  /** It was the same in every example: without another value, that one holds. */
  readonly usual?: true;
}

/** What to do when a step fails. */
export interface Handler {
  /** Counted from 1. */
  readonly step: number;
  readonly error: string;
  /** Empty: nothing is known that works instead. */
  readonly instead: readonly ProcedureStep[];
}

/** How a task is done, as far as that can be read by a machine. */
export interface Procedure {
  readonly steps: readonly ProcedureStep[];
  readonly slots: readonly Slot[];
  readonly handlers: readonly Handler[];
}

/** Names of the slots in a value, in order. */
export function slotsIn(value: unknown): string[] {
  return [...JSON.stringify(value ?? null).matchAll(/<([a-z][a-z0-9_]*)>/g)].map(([, name = '']) => name);
}

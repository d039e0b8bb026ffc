import type { EffectLevel, Tool, ToolResult } from '#spec/ports';
import type { Check } from '../file/workflow.ts';
import type { WorkflowTools } from '../plan/effect-level.ts';
import type { WorkflowEvent, WorkflowInput } from './run-records.ts';

/** The run that something is done for. */
export interface RunContext {
  readonly id: string;
  readonly input: WorkflowInput;
}

export interface Occasion {
  readonly run: RunContext;
  readonly signal: AbortSignal;
  /** The same for every attempt at the same thing. */
  readonly key: string;
}

/** The occasion of a step. */
export interface CallOccasion extends Occasion {
  /** Stops the clock of the step and of the run while a person is waited for. */
  patiently<T>(wait: () => Promise<T>): Promise<T>;
}

/** What has to hold, with everything filled in. What the engine can tell by itself is not asked. */
type WorldCheck = Exclude<Check, { readonly type: 'tool_available' | 'condition' }>;

/** What a run needs of the world. */
export interface WorkflowDeps {
  readonly tools: WorkflowTools;
  /** Calls a tool through the gate, on behalf of whoever the run is for. */
  callTool(name: string, input: unknown, occasion: CallOccasion): Promise<ToolResult>;
  /** A better guess at how far a call reaches, such as the judge of commands gives. */
  levelOf?(tool: Tool, input: unknown): EffectLevel | undefined;
  /** Asks the person on the other side; undefined: they did not answer. Absent where there is nobody. */
  confirm?(
    question: { readonly step: string; readonly message: string; readonly preview: string },
    occasion: Occasion,
  ): Promise<boolean | undefined>;
  /** Undefined: it cannot be told here. */
  check(
    check: WorldCheck,
    occasion: Occasion,
  ): Promise<{ readonly holds: boolean; readonly detail?: string } | undefined>;
  /** What is remembered under a key, as data if it is that; undefined: nothing. */
  memory(key: string, occasion: Occasion): Promise<unknown>;
  remember?(key: string, value: unknown, occasion: Occasion): Promise<void>;
  /** Tells whether it was taken, and if not, why; without a reason, there is no platform at all. */
  notify?(
    notice: { readonly platform: string; readonly message: string },
    occasion: Occasion,
  ): Promise<{ readonly taken: boolean; readonly detail?: string }>;
  report?(event: WorkflowEvent): void;
  now(): number;
}

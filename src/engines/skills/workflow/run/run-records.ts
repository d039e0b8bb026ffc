import { z } from 'zod';
import { Audience, Language, Requester } from '#spec/data';
import type { EffectLevel } from '#spec/ports';

/** What a run is started with, and keeps until its end: also when the skill's file changes meanwhile. */
export const WorkflowInput = z.object({
  skill: z.string(),
  path: z.string(),
  /** The file, word for word. */
  text: z.string(),
  digest: z.string(),
  args: z.record(z.string(), z.unknown()),
  dryRun: z.boolean(),
  requester: Requester,
  language: Language,
  /** The folder that it works in. */
  workspace: z.string().optional(),
  /** The backend that its commands run in; the usual one unless whoever started it chose another. */
  backend: z.string().optional(),
  /** Where it was asked for, and whether others listen there: whose memory it reads and writes follows from it. */
  view: z.object({ audience: Audience, shared: z.boolean() }).optional(),
  /** The words that set it in motion. */
  task: z.string().optional(),
  /** Goes on at this step with what an earlier run had made before it. */
  from: z
    .object({ step: z.string(), run: z.string(), outputs: z.record(z.string(), z.unknown()) })
    .optional(),
});
export type WorkflowInput = z.infer<typeof WorkflowInput>;

/**
 * `recovered`: it failed, and its handler mended that. `shown`: a dry run, in which it would have changed something.
 * `uncertain`: it was begun, and nobody knows whether it was done.
 */
export type StepState =
  | 'pending'
  | 'running'
  | 'done'
  | 'recovered'
  | 'failed'
  | 'refused'
  | 'uncertain'
  | 'skipped'
  | 'shown';

export interface StepFailure {
  /** `timeout`, `port_conflict`, `refused`, …: what `error_handling` is asked for. */
  readonly kind: string;
  readonly message: string;
  /** What `error_handling` says about it. */
  readonly advice?: string;
}

export interface StepRecord {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  readonly state: StepState;
  readonly level?: EffectLevel;
  /** The call with everything filled in, bounded and without secrets. */
  readonly input?: string;
  readonly output?: string;
  readonly outputKey?: string;
  /** Where it was done or measured, for people. */
  readonly place?: string;
  /** One line: what came of it, or why it did not run. */
  readonly summary?: string;
  readonly failure?: StepFailure;
  readonly attempts: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** `unmet`: a precondition does not hold, so nothing was done. `shown`: a dry run came to its end. */
export type RunState =
  | 'running'
  | 'done'
  | 'shown'
  | 'failed'
  | 'refused'
  | 'uncertain'
  | 'unmet'
  | 'cancelled';

/** What a run gave. The output of the flow. */
export interface WorkflowResult {
  readonly skill: string;
  readonly version: string;
  readonly state: Exclude<RunState, 'running'>;
  readonly format: 'markdown' | 'text' | 'json' | 'html';
  /** What is shown at the end. */
  readonly text: string;
  readonly steps: readonly StepRecord[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly failure?: StepFailure & { readonly step?: string };
  readonly warnings: readonly string[];
  /** Nothing above level 1 was called: the result may be given again for a while. */
  readonly repeatable: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Told while a run goes on. Nothing is told a second time after a restart. */
export type WorkflowEvent = { readonly run: string; readonly at: number } & (
  | {
      readonly type: 'started';
      readonly skill: string;
      readonly version: string;
      readonly steps: number;
      readonly dryRun: boolean;
    }
  | {
      readonly type: 'step.started';
      readonly step: string;
      readonly name: string;
      readonly action: string;
      readonly attempt: number;
    }
  | {
      readonly type: 'step.ended';
      readonly step: string;
      readonly name: string;
      readonly ok: boolean;
      readonly ms: number;
      readonly summary: string;
      readonly kind?: string;
    }
  | { readonly type: 'skipped'; readonly step: string; readonly name: string; readonly reason: string }
  | { readonly type: 'shown'; readonly step: string; readonly name: string; readonly input: string }
  | {
      readonly type: 'asked';
      readonly step: string;
      readonly name: string;
      readonly message: string;
      readonly agreed: boolean;
    }
  | { readonly type: 'finished'; readonly state: WorkflowResult['state']; readonly text: string }
);

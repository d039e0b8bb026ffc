import { z } from 'zod';
import { CauseCategory, TimeWindow } from './incident.ts';
import { OPERATIONS, RISKS } from './operations/index.ts';
import { Text, withSaid } from './text.ts';

export { OPERATIONS, RISKS };

export const Operation = z.enum(OPERATIONS);
export type Operation = z.infer<typeof Operation>;

export const Risk = z.enum(RISKS);
export type Risk = z.infer<typeof Risk>;

/** What a rule of the house asks for. Rules tighten; none lifts the approval or the checkpoint. */
export const GovernanceRule = z.object({
  id: z.string(),
  /** In the words of whoever made it. */
  text: z.string(),
  /** To what it applies; an absent part applies to everything. */
  service: z.string().optional(),
  operation: Operation.optional(),
  category: CauseCategory.optional(),
  /** Only to actions of this risk or a higher one. */
  risk: Risk.optional(),
  /** Hours of the day in which it applies, `HH:MM`, with the zone; `end` may be on the next day. */
  hours: z.object({ start: z.string(), end: z.string(), zone: z.string().optional() }).optional(),
  /** Whether it applies within these hours, or outside of them. */
  outside: z.boolean().optional(),
  effect: z.enum(['forbid', 'dry_run_only', 'confirm_twice', 'separate_approver', 'prefer']),
  /** With `prefer`: what to do instead, and to which service. */
  prefer: z.object({ operation: Operation, service: z.string().optional() }).optional(),
});
export type GovernanceRule = z.infer<typeof GovernanceRule>;

/**
 * A rule of the house by which an action of low risk is carried out without asking anybody, so often a day at the most. It is
 * written into a file by a person, and each use of it is an approval of its own.
 */
export const UnattendedGrant = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  /** In the words of whoever made it. */
  rule: z.string().min(1),
  service: z.string().min(1),
  operation: Operation,
  per_day: z.int().min(1).max(24),
});
export type UnattendedGrant = z.infer<typeof UnattendedGrant>;

/** What is known about a service before anything happens. */
export const ServiceProfile = z.object({
  service: z.string(),
  owner: z.string().optional(),
  dependencies: z.array(z.string()).default([]),
  /** Metrics to look at first. */
  signals: z.array(z.string()).default([]),
  /** Its name elsewhere: deployment, application, namespace, … for backends and executors. */
  names: z.record(z.string(), z.string()).default({}),
  rules: z.array(GovernanceRule).default([]),
});
export type ServiceProfile = z.infer<typeof ServiceProfile>;

/** How a service runs at present, as far as it is known. */
export interface ServiceState {
  readonly replicas?: number;
  readonly config?: Readonly<Record<string, string | number | boolean>>;
  /** Which of its databases it uses. */
  readonly active?: string;
  /** What serves: its version, and that of a canary. */
  readonly versions?: readonly string[];
}

/** What is proposed. Its digest covers every field, and the rehearsal. */
export const ProposedAction = z.preprocess(
  withSaid('reason', 'dryRunOnly'),
  z.object({
    id: z.string(),
    operation: Operation,
    service: z.string(),
    /** What the operation needs: `to` and `from` of a rollback, `replicas`, `key` and `value`, … */
    params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    risk: Risk,
    /** Why, in one sentence. */
    reason: Text,
    /** Evidence that it rests on. */
    evidence: z.array(z.string()),
    /** What rules ask for beyond the approval. */
    confirmTwice: z.boolean(),
    separateApprover: z.boolean(),
    /** It is rehearsed and shown, and not carried out, for this reason. */
    dryRunOnly: Text.optional(),
    /** Rules that had a say, by id. */
    rules: z.array(z.string()),
  }),
);
export type ProposedAction = z.infer<typeof ProposedAction>;

/** What an action would do, found out without doing it. */
export const Rehearsal = z.object({
  allowed: z.boolean(),
  /** Why not. */
  why: Text.optional(),
  /** One line as a person would type it. */
  preview: z.string(),
  /** The lines that would change, as a unified diff. */
  diff: z.string(),
  /** The state before, as far as the action touches it: what a checkpoint keeps. */
  state: z.record(z.string(), z.json()),
});
export type Rehearsal = z.infer<typeof Rehearsal>;

export const ActionCheckpoint = z.object({
  id: z.string(),
  at: z.number(),
  /** Covers the state: the same state has the same one. */
  digest: z.string(),
  state: z.record(z.string(), z.json()),
});
export type ActionCheckpoint = z.infer<typeof ActionCheckpoint>;

/** What became of an action. */
export const Execution = z.object({
  status: z.enum(['done', 'refused', 'failed', 'unknown']),
  executor: z.string(),
  /** The key under which the target knows it. */
  key: z.string(),
  startedAt: z.number(),
  endedAt: z.number(),
  detail: Text,
  /** Whether it was found out afterwards, because the process ended in the middle. */
  reconciled: z.boolean(),
});
export type Execution = z.infer<typeof Execution>;

export const RECOVERY_DIMENSIONS = [
  'errors',
  'latency',
  'traffic',
  'error_logs',
  'trace_errors',
  'deploy_state',
  /** What the alert measures, where that is none of the others: memory, restarts, a queue. */
  'symptom',
] as const;

export const RecoveryCheck = z.object({
  dimension: z.enum(RECOVERY_DIMENSIONS),
  /** Undefined: there was nothing to look at. */
  ok: z.boolean().optional(),
  usual: z.number().optional(),
  during: z.number().optional(),
  after: z.number().optional(),
  unit: z.string(),
  summary: Text,
  query: z.string(),
});
export type RecoveryCheck = z.infer<typeof RecoveryCheck>;

export const Recovery = z.object({
  status: z.enum(['recovered', 'not_recovered', 'uncertain']),
  checks: z.array(RecoveryCheck),
  window: TimeWindow,
  at: z.number(),
});
export type Recovery = z.infer<typeof Recovery>;

/** Something from before this incident. It may say where to look first; it is never a reason. */
export const Prior = z.object({
  text: z.string(),
  source: z.enum(['memory', 'skill', 'knowledge', 'incident']),
  /** An id of the memory entry, skill, citation or incident. */
  ref: z.string(),
  score: z.number(),
  /** What was looked at then, and what ended it. */
  checked: z.array(z.string()).optional(),
  fixedBy: z.string().optional(),
});
export type Prior = z.infer<typeof Prior>;

/** Where the lessons of a closed incident went. */
export const Lesson = z.object({
  memories: z.array(z.string()),
  skill: z.string().optional(),
  workflow: z.string().optional(),
  knowledge: z.string().optional(),
  evalCase: z.string().optional(),
  trajectory: z.string().optional(),
});
export type Lesson = z.infer<typeof Lesson>;

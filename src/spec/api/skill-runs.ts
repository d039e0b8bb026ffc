import { z } from 'zod';
import { Language, Text } from '#spec/data';
import { defineContracts } from './contract.ts';
import { text, upTo } from './query.ts';
import { Done, Level } from './answer.ts';

const MOST_RUNS = 200;

/** `unmet`: a precondition does not hold, so nothing was done. `shown`: a dry run came to its end. */
const RunState = z.enum(['running', 'done', 'shown', 'failed', 'refused', 'uncertain', 'unmet', 'cancelled']);
export type RunState = z.infer<typeof RunState>;

/** `recovered`: it failed, and its handler mended that. `uncertain`: begun, and nobody knows whether it was done. */
const StepState = z.enum([
  'pending',
  'running',
  'done',
  'recovered',
  'failed',
  'refused',
  'uncertain',
  'skipped',
  'shown',
]);
export type StepState = z.infer<typeof StepState>;

/** A run in a list. */
const RunRow = z.object({
  id: z.string(),
  skill: z.string(),
  version: z.string(),
  state: RunState,
  dryRun: z.boolean(),
  /** Who started it, and where. */
  by: z.object({ user: z.string(), platform: z.string() }),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  /** Whether the server itself is at it. */
  here: z.boolean(),
  /** Questions that it waits with. */
  questions: z.number(),
});
export type RunRow = z.infer<typeof RunRow>;

const Failure = z.object({ kind: z.string(), message: z.string(), advice: z.string().optional() });

const StepRecord = z.object({
  id: z.string(),
  name: z.string(),
  action: z.string(),
  state: StepState,
  level: Level.optional(),
  /** The call with everything filled in, bounded and without secrets. */
  input: z.string().optional(),
  output: z.string().optional(),
  outputKey: z.string().optional(),
  /** Where it was done or measured. */
  place: z.string().optional(),
  /** One line: what came of it, or why it did not run. */
  summary: z.string().optional(),
  failure: Failure.optional(),
  attempts: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
});
export type StepRecord = z.infer<typeof StepRecord>;

/** Something that a step asks. A refusal stands first. */
const OpenQuestion = z.object({
  id: z.string(),
  question: z.string(),
  choices: z.array(z.string()),
  at: z.number(),
  /** Then it counts as no. */
  until: z.number(),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** What the gate asks about a call of a run. */
const RunApproval = z.object({
  id: z.string(),
  tool: z.string(),
  level: z.number(),
  /** What would run. */
  shown: z.string(),
  reasons: z.array(Text),
  separate: z.boolean(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type RunApproval = z.infer<typeof RunApproval>;

const RunView = RunRow.extend({
  args: z.record(z.string(), z.unknown()),
  steps: z.array(StepRecord),
  text: z.string().optional(),
  warnings: z.array(z.string()),
  failure: Failure.extend({ step: z.string().optional() }).optional(),
  problem: z.string().optional(),
  backend: z.string().optional(),
  from: z.object({ step: z.string(), run: z.string() }).optional(),
  waiting: z.object({ questions: z.array(OpenQuestion), approvals: z.array(RunApproval) }),
});
export type RunView = z.infer<typeof RunView>;

const StartRun = z
  .strictObject({
    args: z.record(z.string().max(200), z.unknown()).default({}),
    dryRun: z.boolean().default(false),
    /** Although a kept result could be given. */
    fresh: z.boolean().default(false),
    language: Language.default('en'),
    /** Goes on at a step with what an earlier run had made. */
    from: z.strictObject({ step: z.string().max(200), run: z.string().max(200) }).optional(),
    /** Another place for its commands than the usual one: for the owner to choose. */
    backend: z.string().min(1).max(100).optional(),
  })
  .prefault({});
export type StartRun = z.output<typeof StartRun>;

/** Runs of workflows. */
export const SKILL_RUNS = defineContracts({
  start: {
    method: 'POST',
    path: '/api/skills/:name/runs',
    access: 'write',
    summary: 'Run a workflow',
    body: StartRun,
    status: 202,
    /** `ageMs`: nothing was begun, this result is kept. */
    answer: z.object({ run: z.string(), ageMs: z.number().optional() }),
  },
  list: {
    method: 'GET',
    path: '/api/skill-runs',
    access: 'read',
    summary: 'Runs of workflows that you may see, newest first',
    query: z.object({
      skill: text().describe('of this skill'),
      limit: upTo(MOST_RUNS, 50).describe('at most so many'),
    }),
    answer: z.array(RunRow),
  },
  show: {
    method: 'GET',
    path: '/api/skill-runs/:id',
    access: 'read',
    summary: 'A run step by step, with what it waits for',
    answer: RunView,
  },
  cancel: {
    method: 'POST',
    path: '/api/skill-runs/:id/cancel',
    access: 'write',
    summary: 'Begin no further step',
    status: 202,
    answer: Done,
  },
  resume: {
    method: 'POST',
    path: '/api/skill-runs/:id/resume',
    access: 'write',
    summary: 'Go on with a run that was left behind',
    status: 202,
    answer: Done,
  },
  answer: {
    method: 'POST',
    path: '/api/skill-runs/:id/answers/:question',
    access: 'write',
    person: true,
    summary: 'Answer what a step asks',
    body: z.strictObject({ choice: z.string().max(500) }),
    answer: Done,
  },
  decide: {
    method: 'POST',
    path: '/api/skill-runs/:id/approvals/:approval',
    access: 'approve',
    summary: 'Agree to a call of a run, or refuse it',
    body: z.strictObject({ granted: z.boolean() }),
    answer: Done,
  },
});

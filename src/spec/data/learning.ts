import { z } from 'zod';
import { MemoryScope } from './memory.ts';

/** One call on the way to the end of a task. */
export const ExperienceStep = z.object({
  tool: z.string(),
  /** The arguments, without secrets. */
  input: z.unknown(),
  ok: z.boolean(),
  ms: z.number(),
  /** One line. */
  summary: z.string(),
});
export type ExperienceStep = z.infer<typeof ExperienceStep>;

/** A task that was done, and how. Secrets and raw logs are left out of it. */
export const Experience = z.object({
  id: z.string(),
  scope: MemoryScope,
  kind: z.enum(['chat', 'workflow', 'incident']),
  /** The task in the words of whoever set it. */
  task: z.string(),
  path: z.array(ExperienceStep),
  outcome: z.string(),
  success: z.boolean(),
  /** Steps after which the way changed: after a failure, after an answer of the user. */
  keyDecisions: z.array(z.object({ step: z.number().int(), why: z.string() })),
  /** Tools that followed each other to success. */
  toolCombos: z.array(z.array(z.string())),
  durationMs: z.number(),
  tokens: z.number(),
  calls: z.number().int(),
  /** The skill that was followed, and its version. */
  skill: z.object({ name: z.string(), version: z.string() }).optional(),
  session: z.string().optional(),
  turn: z.number().int().optional(),
  at: z.number(),
});
export type Experience = z.infer<typeof Experience>;

/** What came of using a skill once. */
export const SkillUse = z.object({
  id: z.string(),
  skill: z.string(),
  version: z.string(),
  experience: z.string(),
  success: z.boolean(),
  /** Whether what it says was done. */
  followed: z.boolean(),
  calls: z.number().int(),
  tokens: z.number(),
  durationMs: z.number(),
  at: z.number(),
});
export type SkillUse = z.infer<typeof SkillUse>;

/** A text that a skill has had. */
export const SkillVersion = z.object({
  skill: z.string(),
  version: z.string(),
  path: z.string(),
  text: z.string(),
  digest: z.string(),
  why: z.string(),
  /** Experiences that led to it. */
  from: z.array(z.string()),
  state: z.enum(['active', 'superseded', 'rolled_back', 'archived']),
  at: z.number(),
});
export type SkillVersion = z.infer<typeof SkillVersion>;

/** One edit of the library by Hermes, which can be undone. */
export const SkillEdit = z.object({
  id: z.string(),
  action: z.enum([
    'created',
    'repaired',
    'improved',
    'merged',
    'archived',
    'restored',
    'rolled_back',
    'demoted',
  ]),
  skill: z.string(),
  why: z.string(),
  /** Files as they were, to be put back; undefined where there was none. */
  before: z.array(z.object({ path: z.string(), text: z.string().optional() })),
  after: z.array(z.object({ path: z.string(), text: z.string().optional() })),
  by: z.enum(['learning', 'curator', 'review', 'reflection', 'user']),
  undone: z.boolean(),
  at: z.number(),
});
export type SkillEdit = z.infer<typeof SkillEdit>;

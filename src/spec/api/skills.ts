import { z } from 'zod';
import {
  Experience,
  LockedSkill,
  Skill,
  SkillEdit,
  SkillFinding,
  SkillProblem,
  SkillUse,
  SkillVerdict,
  SkillVersion,
} from '#spec/data';
import { defineContracts } from './contract.ts';
import { language, text } from './query.ts';
import { Done, Level } from './answer.ts';

const MOST_WORDS = 500;

/** Why a skill is not offered. */
const HiddenReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('disabled') }),
  z.object({ kind: z.literal('platform'), wanted: z.array(z.string()) }),
  z.object({ kind: z.enum(['tools', 'toolsets']), missing: z.array(z.string()) }),
  z.object({ kind: z.literal('not_needed'), there: z.array(z.string()) }),
]);
export type HiddenReason = z.infer<typeof HiddenReason>;

const InstallState = z.enum(['intact', 'changed', 'missing']);
const Demotion = z.object({ why: z.string(), at: z.number() });

/** A skill in a list: what it is, and how it does. */
const SkillRow = Skill.pick({
  name: true,
  form: true,
  description: true,
  category: true,
  tags: true,
  root: true,
  trust: true,
  version: true,
}).extend({
  /** None where it is offered. */
  hidden: z.array(HiddenReason),
  demoted: Demotion.optional(),
  pinned: z.boolean(),
  stale: z.boolean(),
  uses: z.number(),
  successes: z.number(),
  /** How the last uses ended, oldest first. */
  recent: z.array(z.boolean()),
  lastUsed: z.number().optional(),
  /** Of one that came from elsewhere. */
  installed: z.object({ state: InstallState, verdict: SkillVerdict }).optional(),
  /** How well it fits the words that were looked for, and why it would be offered for them. */
  score: z.number().optional(),
  fits: z.array(z.string()).optional(),
});
export type SkillRow = z.infer<typeof SkillRow>;

const SkillList = z.object({
  skills: z.array(SkillRow),
  problems: z.array(SkillProblem),
  /** Behind another of the same name. */
  shadowed: z.array(Skill.pick({ name: true, root: true, path: true })),
});
export type SkillList = z.infer<typeof SkillList>;

const VersionRow = SkillVersion.omit({ text: true, skill: true, path: true }).extend({
  uses: z.number(),
  successes: z.number(),
});
export type VersionRow = z.infer<typeof VersionRow>;

const UseRow = SkillUse.pick({
  version: true,
  success: true,
  followed: true,
  calls: true,
  tokens: true,
  durationMs: true,
  at: true,
});
export type UseRow = z.infer<typeof UseRow>;

/** What a skill was made of. The words of a task are for the owner. */
const Origin = z.object({
  id: z.string(),
  kind: z.union([Experience.shape.kind, z.literal('unknown')]),
  at: z.number().optional(),
  success: z.boolean().optional(),
  task: z.string().optional(),
  session: z.string().optional(),
});
export type SkillOrigin = z.infer<typeof Origin>;

const PlannedArgument = z.object({
  name: z.string(),
  value: z.unknown().optional(),
  from: z.enum(['given', 'default', 'missing']),
  description: z.string().optional(),
  type: z.enum(['string', 'number', 'boolean', 'array', 'object']).optional(),
  choices: z.array(z.unknown()).optional(),
});
export type PlannedArgument = z.infer<typeof PlannedArgument>;

const PlannedStep = z.object({
  id: z.string(),
  name: z.string(),
  action: z.string(),
  /** Steps of the same number run side by side. */
  batch: z.number(),
  /** The call, filled in as far as that is known. */
  input: z.string(),
  complete: z.boolean(),
  level: Level.optional(),
  condition: z.string().optional(),
  /** `confirmation`: the workflow asks. `gate`: the gate asks, or may. */
  asks: z.array(z.enum(['confirmation', 'gate'])),
  /** Outputs of earlier steps that it needs. */
  needs: z.array(z.string()),
  outputKey: z.string().optional(),
  /** Tries again so often, then one of these, or the handler of that name. */
  onFailure: z.object({
    retries: z.number(),
    delayMs: z.number(),
    finally: z.union([z.enum(['stop', 'continue', 'warn']), z.object({ handler: z.string() })]),
  }),
  timeoutMs: z.number(),
  missing: z.object({ what: z.string(), fix: z.string() }).optional(),
});
export type PlannedStep = z.infer<typeof PlannedStep>;

/** A workflow as it would run, with nothing given. */
const Plan = z.object({
  name: z.string(),
  version: z.string(),
  arguments: z.array(PlannedArgument),
  preconditions: z.array(z.string()),
  steps: z.array(PlannedStep),
  postconditions: z.array(z.string()),
  memory: z.array(z.object({ key: z.string(), known: z.boolean() })),
  notifies: z.array(z.string()),
  storesMemory: z.boolean(),
  totalTimeoutMs: z.number(),
  problems: z.array(
    z.object({
      /** Where it stands in the file. */
      place: z.array(z.union([z.string(), z.number()])),
      problem: z.string(),
      fix: z.string(),
    }),
  ),
});
export type Plan = z.infer<typeof Plan>;

const Installed = LockedSkill.pick({
  source: true,
  commit: true,
  publisher: true,
  trust: true,
  verdict: true,
  agreedTo: true,
  installedAt: true,
  updatedAt: true,
}).extend({
  state: InstallState,
  verdictNow: SkillVerdict,
  changes: z.array(z.object({ path: z.string(), change: z.string() })),
  findings: z.array(SkillFinding),
});
export type Installed = z.infer<typeof Installed>;

const SkillPage = z.object({
  skill: SkillRow.extend(
    Skill.pick({ path: true, digest: true, triggers: true, needs: true, includes: true }).shape,
  ),
  /** The file, word for word. */
  source: z.string(),
  /** What stands below the frontmatter; of a workflow all of it. */
  body: z.string(),
  files: z.array(z.string()),
  /** Variables that it reads and that are not set. */
  unset: z.array(z.string()),
  versions: z.array(VersionRow),
  /** Newest first. */
  uses: z.array(UseRow),
  origins: z.array(Origin),
  plan: Plan.optional(),
  /** Why it cannot be read as a workflow. */
  planProblem: z.string().optional(),
  installed: Installed.optional(),
});
export type SkillPage = z.infer<typeof SkillPage>;

/** An edit in the ledger, without the texts. */
const EditRow = SkillEdit.omit({ before: true, after: true }).extend({
  files: z.array(z.string()),
  added: z.number(),
  removed: z.number(),
});
export type EditRow = z.infer<typeof EditRow>;

const Proposal = z.object({
  id: z.string(),
  kind: z.enum(['draft', 'mutation', 'merge']),
  skill: z.string(),
  what: z.string(),
  accepted: z.boolean(),
  why: z.string(),
  /** Scores before and after, in sum over the tasks it was tried on. */
  before: z.number(),
  after: z.number(),
  tasks: z.number(),
  text: z.string(),
  at: z.number(),
});

const LearningView = z.object({
  experiences: z.number(),
  /** Kinds of tasks, in words of those who set them; only for the owner. */
  kinds: z.array(z.object({ example: z.string(), successes: z.number(), missing: z.number() })).optional(),
  proposals: z.array(Proposal),
  ledger: z.array(EditRow),
  loop: z.object({
    enabled: z.boolean(),
    /** Whether changes wait for the owner. */
    approve: z.boolean(),
    threshold: z.number(),
    reflectEvery: z.number(),
    sinceReflected: z.number(),
    staleDays: z.number(),
    archiveDays: z.number(),
    curatedAt: z.number(),
    stale: z.array(z.string()),
    demoted: z.record(z.string(), Demotion),
    pinned: z.array(z.string()),
  }),
});
export type LearningView = z.infer<typeof LearningView>;

const LearnEvent = z.object({ kind: z.string(), skill: z.string(), why: z.string() });
export type LearnEvent = z.infer<typeof LearnEvent>;
const Passed = z.object({ events: z.array(LearnEvent) });

/** A change of a skill that waits for the owner. */
const DraftView = z.object({
  id: z.string(),
  skill: z.string().optional(),
  action: z.string().optional(),
  /** All that would be written, as it was told when it was asked for. */
  shown: z.string(),
  /** Against what is there now, where that can be told. */
  diff: z.string().optional(),
  why: z.string(),
  session: z.string().optional(),
  at: z.number(),
});
export type DraftView = z.infer<typeof DraftView>;

/** The library, what was learned, and drafts. */
export const SKILLS = defineContracts({
  list: {
    method: 'GET',
    path: '/api/skills',
    access: 'read',
    summary: 'Skills by name, or those that are found for some words, with how they do',
    query: z.object({ text: text(MOST_WORDS).describe('what they are wanted for') }),
    answer: SkillList,
  },
  show: {
    method: 'GET',
    path: '/api/skills/:name',
    access: 'read',
    summary: 'A skill with its text, versions, uses, plan and where it came from',
    query: z.object({ language: language() }),
    answer: SkillPage,
  },
  file: {
    method: 'GET',
    path: '/api/skills/:name/files',
    access: 'read',
    summary: 'A file beside a SKILL.md',
    query: z.object({ path: z.string('it is missing.').describe('relative to its folder') }),
    answer: z.object({ path: z.string(), text: z.string() }),
  },
  diff: {
    method: 'GET',
    path: '/api/skills/:name/diff',
    access: 'read',
    summary: 'What differs between two texts of a skill',
    query: z.object({
      from: z.string('it is missing.').describe('digest of the older one'),
      to: z.string('it is missing.').describe('digest of the newer one; `current`: as it is now'),
    }),
    answer: z.object({ diff: z.string() }),
  },
  pin: {
    method: 'POST',
    path: '/api/skills/:name/pin',
    access: 'write',
    summary: 'Have Hermes never touch a skill, or let it again',
    body: z.strictObject({ on: z.boolean() }),
    answer: Done,
  },
  restore: {
    method: 'POST',
    path: '/api/skills/:name/restore',
    access: 'write',
    summary: 'Offer a demoted skill again',
    answer: Done,
  },
  learning: {
    method: 'GET',
    path: '/api/learning',
    access: 'read',
    summary: 'What was learned: edits, proposals, and how the loop stands',
    answer: LearningView,
  },
  reflect: {
    method: 'POST',
    path: '/api/learning/reflect',
    access: 'write',
    summary: 'Look now at how skills do',
    answer: Passed,
  },
  curate: {
    method: 'POST',
    path: '/api/learning/curate',
    access: 'write',
    summary: 'Tidy learned skills now',
    answer: Passed,
  },
  edit: {
    method: 'GET',
    path: '/api/skill-edits/:id',
    access: 'read',
    summary: 'An edit of a skill, with its diff',
    answer: EditRow.extend({ diff: z.string() }),
  },
  undo: {
    method: 'POST',
    path: '/api/skill-edits/:id/undo',
    access: 'write',
    summary: 'Put back what was there before an edit',
    answer: Done,
  },
  drafts: {
    method: 'GET',
    path: '/api/skill-drafts',
    access: 'admin',
    summary: 'Changes of skills that wait for the owner',
    answer: z.array(DraftView),
  },
  approveDraft: {
    method: 'POST',
    path: '/api/skill-drafts/:id/approve',
    access: 'admin',
    person: true,
    summary: 'Have a draft written',
    answer: z.object({ said: z.string() }),
  },
  rejectDraft: {
    method: 'POST',
    path: '/api/skill-drafts/:id/reject',
    access: 'admin',
    summary: 'Let a draft go',
    answer: Done,
  },
});

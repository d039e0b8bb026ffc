import { z } from 'zod';

/** `document`: a `SKILL.md` folder, a procedure that a model reads. `workflow`: a YAML file that runs by itself. */
export const SkillForm = z.enum(['document', 'workflow']);
export type SkillForm = z.infer<typeof SkillForm>;

/** Where a skill lies. Of two with the same name, the one from the earlier place is taken. */
export const SKILL_ROOTS = ['project', 'home', 'plugin', 'builtin'] as const;
export const SkillRoot = z.enum(SKILL_ROOTS);
export type SkillRoot = z.infer<typeof SkillRoot>;

/** Who wrote it, as far as that decides how much it is believed: us, the user, Hermes itself, a known or any stranger. */
export const SkillTrust = z.enum(['builtin', 'user', 'own', 'trusted', 'community']);
export type SkillTrust = z.infer<typeof SkillTrust>;

/** When a skill applies, as far as that can be told without a model. */
export const SkillTriggers = z.object({
  keywords: z.array(z.string()),
  filePatterns: z.array(z.string()),
  contextSignals: z.array(z.string()),
  cron: z.string().optional(),
});
export type SkillTriggers = z.infer<typeof SkillTriggers>;

/** What has to be there for a skill to be shown. */
export const SkillNeeds = z.object({
  platforms: z.array(z.string()),
  tools: z.array(z.string()),
  toolsets: z.array(z.string()),
  /** Shown only while these are NOT there: it stands in for them. */
  fallbackForTools: z.array(z.string()),
  fallbackForToolsets: z.array(z.string()),
  /** Variables that it reads. */
  variables: z.array(z.string()),
});
export type SkillNeeds = z.infer<typeof SkillNeeds>;

/** A skill of either form, as everything but its own engine sees it. */
export const Skill = z.object({
  name: z.string(),
  form: SkillForm,
  description: z.string(),
  version: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  root: SkillRoot,
  /** Relative to its root: `devops/container-deploy/SKILL.md`, `service_monitor.yaml`. */
  path: z.string(),
  trust: SkillTrust,
  triggers: SkillTriggers,
  needs: SkillNeeds,
  /** The text below the frontmatter, or the whole YAML. */
  body: z.string(),
  /** SHA-256 of the file. */
  digest: z.string(),
  /** Experiences that it was drafted from. */
  createdFrom: z.array(z.string()),
  /** Whoever wrote it lets the learning loop change it: after so many uses, and with or without being asked. */
  improvement: z.object({ minSamples: z.number().int(), confirm: z.boolean() }).optional(),
  /** Skills that are loaded with it: it is a bundle. */
  includes: z.array(z.string()).optional(),
});
export type Skill = z.infer<typeof Skill>;

/** A skill file that cannot be used, and why. */
export const SkillProblem = z.object({
  root: SkillRoot,
  path: z.string(),
  line: z.number().int().optional(),
  problem: z.string(),
  fix: z.string(),
});
export type SkillProblem = z.infer<typeof SkillProblem>;

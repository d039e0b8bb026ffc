import { z } from 'zod';

/** What the guard makes of a skill's folder. `dangerous` is a floor: nobody's agreement lifts it. */
export const SkillVerdict = z.enum(['safe', 'caution', 'dangerous']);
export type SkillVerdict = z.infer<typeof SkillVerdict>;

/** One thing that the guard has seen. */
export const SkillFinding = z.object({
  path: z.string(),
  /** From 1; 0 for the file as a whole. */
  line: z.number().int(),
  /** Category and what it is: `exfiltration.secret-file`. The same words in every language. */
  rule: z.string(),
  /** A notice is worth knowing and changes no verdict. */
  severity: z.enum(['notice', 'caution', 'dangerous']),
  /** The line, shortened, with nothing hidden and no credential in it. */
  shown: z.string(),
});
export type SkillFinding = z.infer<typeof SkillFinding>;

/** Where an installed skill came from. Nothing else decides how much it is believed. */
export const HubSource = z.object({
  kind: z.enum(['folder', 'archive', 'git']),
  /** A path or an address, without credentials. */
  at: z.string(),
  /** Branch or tag. */
  ref: z.string().optional(),
  /** Folder inside of it. */
  folder: z.string().optional(),
  /** The index that named it, and its name there. */
  registry: z.string().optional(),
  /** What the index says the archive hashes to. */
  sha256: z.string().optional(),
});
export type HubSource = z.infer<typeof HubSource>;

export const HubTrust = z.enum(['builtin', 'trusted', 'community']);
export type HubTrust = z.infer<typeof HubTrust>;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const LockedFile = z.object({
  path: z.string(),
  sha256: Sha256,
  bytes: z.number().int().nonnegative(),
});
export type LockedFile = z.infer<typeof LockedFile>;

/** A skill that the hub installed, as it was judged. */
export const LockedSkill = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  /** Its folder, relative to the skills of the home. */
  path: z.string(),
  source: HubSource,
  /** Of a git repository. */
  commit: z.string().optional(),
  /** Of all its files and their names. */
  sha256: Sha256,
  publisher: z.string(),
  trust: HubTrust,
  verdict: SkillVerdict,
  /** Rules that a person has agreed to. */
  agreedTo: z.array(z.string()),
  installedAt: z.number(),
  updatedAt: z.number().optional(),
  files: z.array(LockedFile),
});
export type LockedSkill = z.infer<typeof LockedSkill>;

/** `skills/hub.lock.json` */
export const HubLock = z.object({ version: z.literal(1), skills: z.array(LockedSkill) });
export type HubLock = z.infer<typeof HubLock>;

/** One skill of a registry's index. */
export const RegistryEntry = z.object({
  name: z.string().min(1).max(64),
  description: z.string().max(4096).default(''),
  version: z.string().max(64).default('0.0.0'),
  /** An archive or a git address; relative ones are meant from the index. */
  url: z.string().min(1).max(2048),
  sha256: Sha256.optional(),
  publisher: z.string().max(200).default(''),
});
export type RegistryEntry = z.infer<typeof RegistryEntry>;

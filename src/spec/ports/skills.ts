import type { Skill, SkillRoot, SkillTrust } from '#spec/data';

/** A file that is a skill: a `SKILL.md`, or a YAML workflow. */
export interface SkillFile {
  readonly root: SkillRoot;
  /** Relative to its root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly trust: SkillTrust;
  readonly changedAt: number;
}

/** The folders that skills lie in. Only those of the home are ever written. */
export interface SkillFiles {
  /** Every skill file. What has not changed since the last call is not read again. */
  scan(): Promise<readonly SkillFile[]>;
  /** Files beside a `SKILL.md`, relative to its folder; links out of it are left out. */
  beside(root: SkillRoot, path: string): Promise<readonly string[]>;
  read(root: SkillRoot, path: string): Promise<Uint8Array | undefined>;
  /** Writes and removes (undefined) files under the skills of the home: all of them or none. */
  write(changes: readonly { readonly path: string; readonly text: string | undefined }[]): Promise<void>;
}

/** A skill that fits a message. */
export interface SkillMatch {
  readonly skill: Skill;
  readonly score: number;
  /** Why, in words: the terms or triggers that it shares with the message. */
  readonly because: readonly string[];
}

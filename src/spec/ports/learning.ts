import type { Experience, MemoryScope, SkillEdit, SkillUse, SkillVersion } from '#spec/data';

/** Tasks that were done. */
export interface ExperienceBook {
  /** One with the id of an earlier one takes its place: whether a task succeeded may turn out later. */
  add(experience: Experience): Promise<void>;
  /** Newest first. */
  list(filter: {
    readonly ids?: readonly string[];
    readonly scopes?: readonly MemoryScope[];
    readonly skill?: string;
    readonly since?: number;
    readonly limit: number;
  }): Promise<readonly Experience[]>;
  count(): Promise<number>;
}

/** What became of skills: their uses, their texts and the edits that Hermes made. */
export interface SkillHistory {
  /** One with the id of an earlier one takes its place. */
  addUse(use: SkillUse): Promise<void>;
  /** Newest first. */
  uses(filter: {
    readonly skill?: string;
    readonly version?: string;
    readonly since?: number;
    readonly limit: number;
  }): Promise<readonly SkillUse[]>;
  /** One version of a skill is active: an active one takes the place of the one before. */
  putVersion(version: SkillVersion): Promise<void>;
  /** Newest first. */
  versions(skill: string): Promise<readonly SkillVersion[]>;
  addEdit(edit: SkillEdit): Promise<void>;
  /** Newest first. */
  edits(filter: {
    readonly skill?: string;
    readonly id?: string;
    readonly limit: number;
  }): Promise<readonly SkillEdit[]>;
  /** False: it was undone already, or is not there. */
  markUndone(id: string): Promise<boolean>;
}

/** Small marks that outlive a restart: pinned skills, counters, when something ran last. */
export interface Marks {
  get(name: string): Promise<unknown>;
  set(name: string, value: unknown): Promise<void>;
}

import type { KnownSecrets } from '#kit/redact';
import type { Skill, SkillEdit } from '#spec/data';
import type { ExperienceBook, Marks, SkillFiles, SkillHistory, SkillMatch } from '#spec/ports';
import type { TrialShelf } from './reflect/trial-shelf.ts';
import type { LearningSettings } from './settings.ts';

/** The skills as they are now. */
export interface SkillShelf {
  all(): Promise<readonly Skill[]> | readonly Skill[];
  /** Those that fit a message; none when none does. Best first. */
  match(
    text: string,
    options: { readonly limit: number },
  ): Promise<readonly SkillMatch[]> | readonly SkillMatch[];
}

export interface SkillChange {
  readonly action: SkillEdit['action'];
  readonly skill: string;
  readonly changes: readonly { readonly path: string; readonly text: string | undefined }[];
  readonly why: string;
  readonly by: SkillEdit['by'];
  readonly from?: readonly string[];
  /** Whoever wrote the skill wants to be asked. */
  readonly confirm?: boolean;
}

/** The one way in which skills are written: judged, numbered, recorded. Refuses with an `AppError`. */
interface SkillPen {
  apply(change: SkillChange): Promise<SkillEdit>;
  undo(id: string): Promise<unknown>;
}

/** Everything that the loop needs of the world. */
export interface LearningDeps {
  readonly experiences: ExperienceBook;
  readonly history: SkillHistory;
  readonly marks: Marks;
  readonly files: Pick<SkillFiles, 'read'>;
  readonly shelf: SkillShelf;
  readonly pen: SkillPen;
  readonly now: () => number;
  readonly settings?: Partial<LearningSettings>;
  /** Literals that must not be kept. */
  readonly secrets?: () => KnownSecrets;
  /** What is wrong with a workflow, tried without effects; undefined when nothing is. */
  readonly rehearse?: (text: string) => Promise<string | undefined>;
  /** Selection with other texts than those on disk, for candidates; without it only paths are compared. */
  readonly trial?: () => Promise<TrialShelf>;
  /** Has a model write a better text; absent where there is none. */
  readonly write?: (prompt: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Ids of experiences, for whoever wants them to be the same on every run. */
  readonly newId?: (prefix: string) => string;
}

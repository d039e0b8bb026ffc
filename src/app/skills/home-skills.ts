import type { LearnEvent, Learning } from '#engines/learning';
import type { parseSource, SkillHub, SkillLibrary, SkillWriter } from '#engines/skills';
import type { ExperienceBook, SkillFiles, SkillHistory, Tool } from '#spec/ports';

/** The skills of one home as a folder of work sees them, and what was learned about them. */
export interface HomeSkills {
  readonly library: SkillLibrary;
  readonly writer: SkillWriter;
  readonly files: SkillFiles;
  readonly history: SkillHistory;
  readonly experiences: ExperienceBook;
  readonly learning: Learning;
  /** Tidies what Hermes wrote, once a day at most. */
  tidy(): Promise<readonly LearnEvent[]>;
  /** Tells which tools there are: a skill that needs others is not offered. */
  see(tools: readonly Tool[]): void;
  close(): Promise<void>;
}

/** Skills from elsewhere for one home. */
export interface HomeHub extends SkillHub {
  /** What a person wrote after `install`. */
  source(written: string, cwd: string): ReturnType<typeof parseSource>;
}

import { toErrorRecord } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type { Skill } from '#spec/data';
import type { LearnEvent } from './learn-event.ts';
import type { LearningDeps, SkillChange } from './learning-deps.ts';
import { type LearningMarks, learningMarks } from './learning-marks.ts';
import { LEARNING_DEFAULTS, type LearningSettings } from './settings.ts';
import { type Clusters, experienceClusters } from './similarity/experience-clusters.ts';

/** What the parts of the loop share. */
export interface LearningState {
  readonly deps: LearningDeps;
  readonly settings: LearningSettings;
  readonly marks: LearningMarks;
  readonly clusters: Clusters;
  newId(prefix: string): string;
  /** The text of a skill's file. */
  textOf(skill: Skill): Promise<string | undefined>;
  /** Skills that are offered. */
  offered(): Promise<readonly Skill[]>;
  /** Writes, and tells what came of it: a refusal is an outcome. */
  change(change: SkillChange, kind: LearnEvent['kind']): Promise<LearnEvent>;
}

export function learningState(deps: LearningDeps): LearningState {
  const settings = { ...LEARNING_DEFAULTS, ...deps.settings };
  const marks = learningMarks(deps.marks);
  return {
    deps,
    settings,
    marks,
    clusters: experienceClusters(settings),
    newId: deps.newId ?? newId,
    textOf: async (skill) => {
      const bytes = await deps.files.read(skill.root, skill.path);
      return bytes && new TextDecoder().decode(bytes);
    },
    offered: async () => {
      const demoted = await marks.demoted();
      return (await deps.shelf.all()).filter(({ name }) => !Object.hasOwn(demoted, name));
    },
    change: async (change, kind) => {
      const { skill, why } = change;
      try {
        const { id } = await deps.pen.apply(change);
        return { kind, skill, why, edit: id };
      } catch (thrown) {
        return { kind: 'refused', skill, why: toErrorRecord(thrown).message };
      }
    },
  };
}

import { homeScope, type MemoryView } from '#engines/memory';
import type { SkillToolDeps } from '#engines/skills';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'memory'>;

/** Has writes of skills wait for a person, beside those of the memory. */
export const stageSkillWrite =
  (deps: Needs, view: MemoryView, language: Language): NonNullable<SkillToolDeps['stage']> =>
  async ({ tool, input, shown, why, context }) => {
    const { staged } = await deps.memory(language);
    const id = newId('wr');
    const scope = homeScope('note', view);
    const { session } = context;
    await staged.add({ id, scope, target: 'skill', tool, input, shown, why, session, at: Date.now() });
    return id;
  };

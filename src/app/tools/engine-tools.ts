import { memoryTools, type MemoryView } from '#engines/memory';
import { skillTools } from '#engines/skills';
import type { Language } from '#kit/language';
import type { Tool } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import { stageSkillWrite } from '../skills/stage-skill-write.ts';

type Needs = Pick<Dependencies, 'memory' | 'settings' | 'skills'>;

/** Tools of memory and skills for a caller that is no conversation, such as a workflow. It cannot run others. */
export async function engineTools(
  deps: Needs,
  { view, language, cwd }: { readonly view: MemoryView; readonly language: Language; readonly cwd: string },
): Promise<readonly Tool[]> {
  const { library, writer } = await deps.skills(cwd);
  const { memory: remembers, learning } = deps.settings;
  const skills = skillTools({
    library,
    writer,
    ...(learning.approve ? { stage: stageSkillWrite(deps, view, language) } : {}),
  });
  if (!remembers.enabled) return skills;
  const { notebooks, memory, staged, secrets } = await deps.memory(language);
  const staging = remembers.write_approval ? { staged } : {};
  return [
    ...memoryTools({ notebooks, memory, view, language, now: Date.now, secrets, ...staging }),
    ...skills,
  ];
}

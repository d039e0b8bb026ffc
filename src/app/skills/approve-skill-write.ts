import { skillTools } from '#engines/skills';
import type { StagedWrite } from '#spec/data';
import type { ToolContext } from '#spec/ports';
import { fail } from '#kit/app-error';
import type { SkillChange } from '#engines/learning';
import type { Dependencies } from '../dependencies.ts';
import { LEARNED_CHANGE } from './staging-pen.ts';

type Needs = Pick<Dependencies, 'skills'>;

/** Makes a write of a skill that waited for a person, as the call that asked for it would have. */
export async function approveSkillWrite(deps: Needs, write: StagedWrite): Promise<string> {
  const { library, writer } = await deps.skills();
  if (write.tool === LEARNED_CHANGE) {
    const { skill, action } = await writer.apply({ ...(write.input as SkillChange), by: 'user' });
    return `${skill}: ${action}`;
  }
  const tool = skillTools({ library, writer, by: 'user' }).find(({ name }) => name === write.tool);
  if (!tool) throw fail('input.invalid', `The write '${write.id}' cannot be made any more`);
  // It drives the library alone: nothing of a conversation is asked for.
  const { summary } = await tool.run(tool.input.parse(write.input), {} as ToolContext);
  return summary;
}

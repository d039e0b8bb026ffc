import { skillTools } from '#engines/skills';
import type { StagedWrite } from '#spec/data';
import type { ToolContext } from '#spec/ports';
import { fail } from '#kit/app-error';
import type { Host } from '../open-host.ts';

/** Makes a write of a skill that waited for a person, as the call that asked for it would have. */
export async function approveSkillWrite(host: Host, write: StagedWrite): Promise<string> {
  const { library, writer } = await host.skills();
  const tool = skillTools({ library, writer, by: 'user' }).find(({ name }) => name === write.tool);
  if (!tool) throw fail('input.invalid', `The write '${write.id}' cannot be made any more`);
  // It drives the library alone: nothing of a conversation is asked for.
  const { summary } = await tool.run(tool.input.parse(write.input), {} as ToolContext);
  return summary;
}

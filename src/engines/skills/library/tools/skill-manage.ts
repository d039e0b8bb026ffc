import { z } from 'zod';
import { fail } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import type { Skill } from '#spec/data';
import { defineTool, type Tool } from '#spec/ports';
import { judgeSkill } from '../../guard/index.ts';
import { plannedChange } from './planned-change.ts';
import { shownChange } from '../write/shown-change.ts';
import { type SkillToolDeps, textResult } from './tool-deps.ts';

const ManageInput = z.strictObject({
  action: z.enum(['create', 'patch', 'edit', 'delete', 'write_file', 'remove_file']),
  name: z.string(),
  content: z.string().optional().describe('create, edit: the whole SKILL.md'),
  category: z.string().optional(),
  file_path: z.string().optional().describe('beside SKILL.md, such as references/api.md'),
  file_content: z.string().optional(),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().optional(),
  why: z.string().optional(),
});
export type ManageInput = z.infer<typeof ManageInput>;

const DONE: Readonly<Record<ManageInput['action'], string>> = {
  create: 'created',
  patch: 'changed',
  edit: 'rewritten',
  delete: 'archived',
  write_file: 'file written',
  remove_file: 'file removed',
};

/** Writes skills. A deleted one is put away under `.archive/`, and every edit can be undone. */
export function skillManage(deps: SkillToolDeps & Required<Pick<SkillToolDeps, 'writer'>>): Tool {
  const { library, writer, stage, by = 'user' } = deps;
  return defineTool({
    name: 'skill_manage',
    toolset: 'skills',
    description:
      'Writes skills: create, edit (content), patch (old_string → new_string), delete, write_file and remove_file (file_path). Save what took effort and will come again; mend a skill that was wrong.',
    input: ManageInput,
    effect: ({ action }) => (action === 'create' ? 1 : 2),
    footprint: ({ name }) => ({ writes: [`skills:${name}`] }),
    deed: (input) => {
      const { name, category, file_path = 'SKILL.md' } = input;
      const folder = [deps.home ?? 'skills', category, name].filter(Boolean).join('/');
      const care = needsCare(input, file_path);
      return { writes: [`${folder}/${file_path}`], ...(care ? { confirm: care } : {}) };
    },
    run: async (input, context) => {
      const why = input.why ?? `${input.action} by skill_manage`;
      const skill = await library.find(input.name);
      if (input.action === 'create' && skill) throw alreadyThere(skill);
      const change = { ...(await plannedChange(input, skill, library)), why, by };
      const { verdict } = await writer.check(change);
      if (stage && verdict !== 'dangerous') {
        const head = `${input.action} ${input.name}${input.file_path ? ` ${input.file_path}` : ''}`;
        const shown = shownChange(head, textsOf(input));
        const id = await stage({ tool: 'skill_manage', input, shown, why, context });
        return textResult(`It waits for a person to approve it (${id}).`, `${head} waits`);
      }
      const edit = await writer.apply(change);
      library.refresh();
      const now = await library.find(input.name);
      const version = now ? ` ${now.version}` : '';
      return textResult(
        `${input.name}${version}: ${DONE[input.action]}. Undo with ${edit.id}.`,
        `${input.name}${version} ${DONE[input.action]}`,
        { edit: edit.id, skill: input.name, version: now?.version },
      );
    },
  });
}

/** A model writes in the name of the user: what only a person may let pass, a person is asked about. */
function needsCare({ content, file_content, new_string }: ManageInput, path: string): Text | undefined {
  const text = [content, file_content, new_string].filter((one) => one !== undefined).join('\n');
  const { verdict, findings } = judgeSkill([{ path, text }]);
  const [first] = findings;
  if (verdict !== 'caution' || !first) return undefined;
  const { rule, line, shown } = first;
  return tell(
    `The text of the skill needs care: ${rule}, line ${line}: ${shown}`,
    `技能文本需要留意：${rule}，第 ${line} 行：${shown}`,
  );
}

/** What a call would write: of a patch, the part that changes. */
const textsOf = ({
  old_string: old,
  new_string: fresh,
  content,
  file_content: file,
}: ManageInput): string[] =>
  [old && `- ${old}`, fresh && `+ ${fresh}`, content, file].filter((text) => text !== undefined);

const alreadyThere = ({ name, path }: Skill) =>
  fail(
    'input.invalid',
    `There is a skill '${name}' already (${path})`,
    'Use edit or patch, or choose another name',
  );

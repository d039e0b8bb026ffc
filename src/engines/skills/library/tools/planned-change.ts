import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import type { Skill } from '#spec/data';
import type { SkillLibrary } from '../shelf/open-skill-library.ts';
import type { SkillChange } from '../write/prepare-change.ts';
import { checkSkillName } from '../write/check-skill-text.ts';
import type { ManageInput } from './skill-manage.ts';

type Plan = Pick<SkillChange, 'action' | 'skill' | 'changes'>;

/** What a call of `skill_manage` would change. Fails with what is missing. */
export async function plannedChange(
  input: ManageInput,
  skill: Skill | undefined,
  library: SkillLibrary,
): Promise<Plan> {
  if (input.action === 'create') return creation(input);
  const known = skill ?? (await library.get(input.name));
  const base = { action: 'improved' as const, skill: known.name };
  const one = (path: string, text: string | undefined): Plan => ({ ...base, changes: [{ path, text }] });
  switch (input.action) {
    case 'edit':
      return one(known.path, needed(input.content, 'content'));
    case 'write_file':
      return one(besidePath(known, input.file_path), needed(input.file_content, 'file_content'));
    case 'remove_file': {
      const path = besidePath(known, input.file_path);
      await library.view(known.name, input.file_path);
      return one(path, undefined);
    }
    case 'patch':
      return patch(input, known, library);
    case 'delete':
      return removal(known, library);
  }
}

function creation({ name, category, content }: ManageInput): Plan {
  checkSkillName(name);
  for (const part of category?.split('/') ?? []) checkSkillName(part);
  const text = needed(content, 'content');
  const workflow = /^skill:/m.test(text) && !/^\s*---/.test(text);
  const path = posix.join(category ?? '', workflow ? `${name}.yaml` : `${name}/SKILL.md`);
  return { action: 'created', skill: name, changes: [{ path, text }] };
}

async function patch(input: ManageInput, skill: Skill, library: SkillLibrary): Promise<Plan> {
  const old = needed(input.old_string, 'old_string');
  const next = needed(input.new_string, 'new_string');
  const path = input.file_path === undefined ? skill.path : besidePath(skill, input.file_path);
  const text = await library.source(skill, input.file_path);
  const count = text.split(old).length - 1;
  if (count === 0 || old === '') {
    throw fail(
      'input.invalid',
      'old_string is not in the text',
      'Look at it with skill_view and copy it exactly',
    );
  }
  if (count > 1 && !input.replace_all) {
    throw fail('input.invalid', `old_string is there ${count} times`, 'Make it longer, or set replace_all');
  }
  const changed = input.replace_all ? text.replaceAll(old, () => next) : text.replace(old, () => next);
  return { action: 'improved', skill: skill.name, changes: [{ path, text: changed }] };
}

/** A skill that is deleted is put away with everything beside it. */
async function removal(skill: Skill, library: SkillLibrary): Promise<Plan> {
  if (skill.root !== 'home') {
    throw fail(
      'input.invalid',
      `The skill '${skill.name}' did not come from here (${skill.root})`,
      `Switch it off: hermes config set skills.disabled`,
    );
  }
  const { files } = await library.view(skill.name);
  const folder = posix.dirname(skill.path);
  const texts = await Promise.all(
    [undefined, ...files].map(async (file) => ({
      path: file === undefined ? skill.path : posix.join(folder, file),
      text: await library.source(skill, file),
    })),
  );
  return {
    action: 'archived',
    skill: skill.name,
    changes: texts.flatMap(({ path, text }) => [
      { path, text: undefined },
      { path: `.archive/${path}`, text },
    ]),
  };
}

function besidePath(skill: Skill, file: string | undefined): string {
  const path = posix.normalize(needed(file, 'file_path').replaceAll('\\', '/'));
  if (
    path.startsWith('..') ||
    posix.isAbsolute(path) ||
    path.split('/').some((part) => part.startsWith('.'))
  ) {
    throw fail('input.invalid', `'${file}' is not beside the skill`, 'Name it like references/api.md');
  }
  if (skill.form === 'workflow')
    throw fail('input.invalid', 'A workflow is one file', 'Edit the file itself');
  if (path === posix.basename(skill.path)) {
    throw fail('input.invalid', 'That is the skill itself', 'Use edit or patch for it');
  }
  return posix.join(posix.dirname(skill.path), path);
}

function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw fail('input.invalid', `'${name}' is missing`);
  return value;
}

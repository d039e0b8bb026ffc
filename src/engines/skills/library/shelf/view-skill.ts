import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import { cutMiddle } from '#kit/cut-middle';
import { nearest } from '#kit/nearest';
import type { Skill } from '#spec/data';
import type { SkillFiles } from '#spec/ports';

/** A skill's own text, or one of the files beside it. */
export interface SkillView {
  readonly skill: Skill;
  /** Absent: the skill itself. */
  readonly file?: string;
  readonly text: string;
  /** Files beside a `SKILL.md` that can be looked at next. */
  readonly files: readonly string[];
  /** Variables that it reads and that are not set. */
  readonly unset: readonly string[];
}

const MOST_CHARS = 100_000;
const MOST_LISTED = 200;

export interface ViewDeps {
  readonly files: SkillFiles;
  readonly variables: ReadonlySet<string>;
  /** The folder of a skill on this machine, where that is known. */
  readonly folderOf?: ((skill: Skill) => string | undefined) | undefined;
}

export async function viewSkill(skill: Skill, file: string | undefined, deps: ViewDeps): Promise<SkillView> {
  const beside = await deps.files.beside(skill.root, skill.path);
  const common = {
    skill,
    files: beside.slice(0, MOST_LISTED),
    unset: skill.needs.variables.filter((name) => !deps.variables.has(name)),
  };
  if (file === undefined || posix.normalize(file) === posix.basename(skill.path)) {
    return { ...common, text: cutMiddle(withVariables(skill.body, skill, deps), MOST_CHARS) };
  }
  const path = posix.normalize(file.replaceAll('\\', '/'));
  if (!beside.includes(path)) {
    const meant = nearest(path, beside);
    throw fail(
      'input.invalid',
      `The skill '${skill.name}' has no file '${file}'`,
      meant ? `Did you mean '${meant}'?` : `It has: ${beside.slice(0, 20).join(', ') || 'none'}`,
    );
  }
  const bytes = await deps.files.read(skill.root, posix.join(posix.dirname(skill.path), path));
  return { ...common, file: path, text: textOf(bytes, path, (text) => withVariables(text, skill, deps)) };
}

function textOf(bytes: Uint8Array | undefined, path: string, expand: (text: string) => string): string {
  if (!bytes) throw fail('input.invalid', `The file '${path}' is not there any more`);
  if (bytes.subarray(0, 8_000).includes(0)) return `[${path} is not text: ${bytes.length} bytes]`;
  return cutMiddle(expand(new TextDecoder().decode(bytes)), MOST_CHARS);
}

/** `${HERMES_SKILL_DIR}` and the name that other agents give it. */
function withVariables(text: string, skill: Skill, { folderOf }: ViewDeps): string {
  const folder = folderOf?.(skill);
  return folder === undefined ? text : text.replace(/\$\{(?:HERMES|CLAUDE)_SKILL_DIR\}/g, () => folder);
}

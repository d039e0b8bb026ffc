import type { Skill } from '#spec/data';

/** A skill as a slash command. */
export interface SkillCommand {
  /** Without the slash. */
  readonly name: string;
  readonly skill: string;
  readonly summary: string;
}

/** `/container-deploy`: what cannot be typed in a command becomes a dash. Of two alike the first gets the name. */
export function skillCommands(skills: readonly Skill[]): readonly SkillCommand[] {
  const commands = new Map<string, SkillCommand>();
  for (const { name, description } of skills) {
    const command = commandName(name);
    if (command && !commands.has(command))
      commands.set(command, { name: command, skill: name, summary: description });
  }
  return [...commands.values()];
}

export const commandName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');

/** The message that has a model follow skills that were loaded for it. */
export function invocation(
  views: readonly { readonly skill: Skill; readonly text: string; readonly files: readonly string[] }[],
  args: string,
): string {
  const blocks = views.map(({ skill, text, files }) => {
    if (skill.form === 'workflow') {
      return `Run the workflow skill "${skill.name}" with skill_run. ${skill.description}`;
    }
    const beside = files.length > 0 ? `\nFiles beside it (skill_view): ${files.join(', ')}` : '';
    return `<skill name=${JSON.stringify(skill.name)}>\n${text}${beside}\n</skill>`;
  });
  const request = args.trim()
    ? `The request: ${args.trim()}`
    : 'Do what it describes for the present situation.';
  return ['Follow this skill.', ...blocks, request].join('\n\n');
}

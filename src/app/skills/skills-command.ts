import { tell } from '#kit/text';
import type { SlashCommand, SlashResult } from '#engines/session';
import type { Language } from '#kit/language';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'skills'>;

const MOST_LISTED = 40;

/** `/skills`: what there is, or what fits some words. */
export async function skillsCommand(
  deps: Needs,
  cwd: string,
  args: string,
  language: Language,
): Promise<SlashResult> {
  const { library } = await deps.skills(cwd);
  const words = args.trim();
  const found = words ? (await library.search(words, 10)).map(({ skill }) => skill) : await library.offered();
  const lines = found
    .slice(0, MOST_LISTED)
    .map(
      ({ name, form, description }) =>
        `- \`/${name}\` ${form === 'workflow' ? '⚙ ' : ''}${short(description)}`,
    );
  const more = found.length - lines.length;
  if (more > 0) lines.push(tell(`… and ${more} more`, `…还有 ${more} 个`)[language]);
  const problems = words ? [] : await library.problems();
  for (const { path, problem } of problems) lines.push(`- ⚠ ${path}: ${problem}`);
  return { text: lines.join('\n') || tell('There is no skill.', '没有技能。')[language] };
}

const short = (text: string): string => (text.length > 90 ? `${text.slice(0, 89)}…` : text);

/** A skill that is typed like a command: its procedure becomes the next message. */
export async function lateSkillCommand(
  deps: Needs,
  cwd: string,
  name: string,
): Promise<SlashCommand | undefined> {
  const { library } = await deps.skills(cwd);
  const skill = await library.find(name);
  if (!skill) return undefined;
  return {
    summary: { en: skill.description, zh: skill.description },
    run: async (args) => {
      const text = await library.invoke(name, args);
      return { text: '', resend: [{ type: 'text', text: text ?? '' }] };
    },
  };
}

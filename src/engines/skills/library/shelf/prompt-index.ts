import { estimateTokens } from '#kit/estimate-tokens';
import type { Skill } from '#spec/data';

const DESCRIPTION_CHARS = 60;
/** What is left for the list of categories when not all skills fit. */
const CATEGORY_SHARE = 0.25;

/**
 * The index of skills for the prompt, never longer than `maxTokens`. When not all of them fit, those that are used
 * most stand there, and a line says how to find the rest.
 */
export function promptIndex(
  skills: readonly Skill[],
  uses: ReadonlyMap<string, number>,
  maxTokens: number,
): string {
  if (skills.length === 0) return '';
  const hint = 'Load one with skill_view(name) before you do what it describes.';
  const whole = [hint, ...byCategory(skills)].join('\n');
  if (estimateTokens(whole) <= maxTokens) return whole;
  const often = skills.toSorted(
    (a, b) =>
      (uses.get(b.name) ?? 0) - (uses.get(a.name) ?? 0) || preference(a) - preference(b) || order(a, b),
  );
  const categories = categoryLine(skills, maxTokens * CATEGORY_SHARE);
  const build = (count: number) =>
    [
      `${skills.length} skills; ${hint} Find others with skills_list(query).`,
      categories,
      ...byCategory(often.slice(0, count)),
    ].join('\n');
  let [fits, low, high] = [0, 1, Math.min(skills.length - 1, Math.ceil(maxTokens / 4))];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (estimateTokens(build(middle)) <= maxTokens) [fits, low] = [middle, middle + 1];
    else high = middle - 1;
  }
  return build(fits);
}

/** What was written or learned here goes before what came with the program. */
const preference = ({ root }: Skill): number => ({ project: 0, home: 1, plugin: 2, builtin: 3 })[root];

const order = (a: Skill, b: Skill): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function byCategory(skills: readonly Skill[]): string[] {
  const groups = Map.groupBy(skills, ({ category }) => category);
  return [...groups.keys()]
    .toSorted()
    .flatMap((category) => [
      `${category}:`,
      ...(groups.get(category) ?? [])
        .toSorted(order)
        .map((skill) => `- ${skill.name}: ${shortDescription(skill)}`),
    ]);
}

export function shortDescription({ description, form }: Skill): string {
  const text = description.replace(/\s+/g, ' ').trim();
  const short = text.length <= DESCRIPTION_CHARS ? text : `${text.slice(0, DESCRIPTION_CHARS - 1)}…`;
  return (form === 'workflow' ? `[runs] ${short}` : short).toWellFormed();
}

function categoryLine(skills: readonly Skill[], maxTokens: number): string {
  const counts = Map.groupBy(skills, ({ category }) => category);
  const names = [...counts]
    .toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .map(([category, of]) => `${category} ${of.length}`);
  let shown = names.length;
  const line = () =>
    `Categories: ${names.slice(0, shown).join(', ')}${shown < names.length ? ` and ${names.length - shown} more` : ''}`;
  while (shown > 0 && estimateTokens(line()) > maxTokens) shown--;
  return line();
}

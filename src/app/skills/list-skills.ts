import type { LearnStatus } from '#engines/learning';
import type { HiddenReason } from '#engines/skills';
import type * as api from '#spec/api';
import type { Skill, SkillUse } from '#spec/data';
import type { SkillHub } from '#engines/skills';
import type { HomeSkills } from './home-skills.ts';

type Audit = Awaited<ReturnType<SkillHub['audit']>>[number];

/** A skill in a list: what it is, and how it does. */
export type SkillRow = api.Given<api.SkillRow>;

export type SkillList = api.Given<api.SkillList>;

export interface Standing {
  readonly uses: readonly SkillUse[];
  readonly hidden: ReadonlyMap<string, readonly HiddenReason[]>;
  readonly marks: LearnStatus['marks'];
  readonly audits: readonly Audit[];
}

const MOST_USES = 5_000;
const RECENT = 20;
const MOST_FOUND = 40;
const MOST_OFFERED = 6;

/** Everything that says how skills stand, read once for all of them. */
export async function readStanding(open: HomeSkills, audits: readonly Audit[]): Promise<Standing> {
  const { library, learning, history } = open;
  const [hidden, { marks }, uses] = await Promise.all([
    library.hidden(),
    learning.status(),
    history.uses({ limit: MOST_USES }),
  ]);
  const reasons = new Map(hidden.map(({ skill, reasons: why }) => [skill.name, why]));
  return { uses, hidden: reasons, marks, audits };
}

export function skillRow(skill: Skill, { uses, hidden, marks, audits }: Standing): SkillRow {
  const { name, form, description, category, tags, root, trust, version } = skill;
  const own = uses.filter((use) => use.skill === name);
  const demoted = Object.hasOwn(marks.demoted, name) ? marks.demoted[name] : undefined;
  const audit = root === 'home' ? audits.find(({ path }) => skill.path.startsWith(`${path}/`)) : undefined;
  return {
    name,
    form,
    description,
    category,
    tags,
    root,
    trust,
    version,
    hidden: hidden.get(name) ?? [],
    ...(demoted ? { demoted } : {}),
    pinned: marks.pinned.includes(name),
    stale: marks.stale.includes(name),
    uses: own.length,
    successes: own.filter(({ success }) => success).length,
    recent: own
      .slice(0, RECENT)
      .map(({ success }) => success)
      .toReversed(),
    ...(own[0] ? { lastUsed: own[0].at } : {}),
    ...(audit ? { installed: { state: audit.state, verdict: audit.verdict } } : {}),
  };
}

/** All skills by name, or those that the library finds for some words, the best first. */
export async function listSkills(open: HomeSkills, standing: Standing, words: string): Promise<SkillList> {
  const { library, learning } = open;
  const shadowed = (await library.shadowed()).map(({ skill: { name, root, path } }) => ({
    name,
    root,
    path,
  }));
  const problems = await library.problems();
  if (!words.trim()) {
    const skills = (await library.all()).map((skill) => skillRow(skill, standing));
    return { skills, problems, shadowed };
  }
  const found = await library.search(words, MOST_FOUND);
  const fitting = await learning.offer(await library.match(words, { limit: MOST_OFFERED }), { text: words });
  const fits = new Map(fitting.map(({ skill, because }) => [skill.name, because]));
  const missed = fitting.filter(({ skill }) => !found.some((each) => each.skill.name === skill.name));
  const skills = [...missed, ...found].map(({ skill, score }) => {
    const because = fits.get(skill.name);
    return { ...skillRow(skill, standing), score, ...(because ? { fits: because } : {}) };
  });
  return { skills, problems, shadowed };
}

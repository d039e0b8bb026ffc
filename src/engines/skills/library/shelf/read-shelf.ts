import { SKILL_ROOTS, type Skill, type SkillProblem } from '#spec/data';
import type { SkillFile } from '#spec/ports';
import { type ParsedSkill, parseSkillFile } from '../document/parse-skill-file.ts';

/** A skill that is not taken because another one has its name. */
export interface ShadowedSkill {
  readonly skill: Skill;
  readonly by: Skill;
}

/** What the files say, all of them together. */
export interface Shelf {
  /** By name. */
  readonly skills: ReadonlyMap<string, Skill>;
  readonly problems: readonly SkillProblem[];
  readonly shadowed: readonly ShadowedSkill[];
}

/** Reads files; what has not changed since the last call is not parsed again, and its skill is the same object. */
export function shelfReader(): (files: readonly SkillFile[]) => Shelf {
  let parsed = new Map<string, { readonly file: SkillFile; readonly result: ParsedSkill }>();
  return (files) => {
    const now: typeof parsed = new Map();
    for (const file of files) {
      if (isPutAway(file.path)) continue;
      const key = `${file.root} ${file.path}`;
      const before = parsed.get(key);
      const same = before?.file.text === file.text && before.file.trust === file.trust;
      now.set(key, same ? before : { file, result: parseSkillFile(file) });
    }
    parsed = now;
    return arrange([...now.values()].map(({ result }) => result));
  };
}

/** Archived and quarantined skills lie in folders that begin with a dot. */
const isPutAway = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

function arrange(results: readonly ParsedSkill[]): Shelf {
  const all = results.flatMap((result) => ('skill' in result ? [result.skill] : []));
  const rank = ({ root }: Skill) => SKILL_ROOTS.indexOf(root);
  const skills = new Map<string, Skill>();
  const shadowed: ShadowedSkill[] = [];
  for (const skill of all.toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))) {
    const by = skills.get(skill.name);
    if (by) shadowed.push({ skill, by });
    else skills.set(skill.name, skill);
  }
  const problems = results.flatMap((result) => ('problem' in result ? [result.problem] : []));
  return { skills, problems, shadowed };
}

import type { Skill, SkillEdit } from '#spec/data';
import { type Tally, tally } from './after-use/compare-versions.ts';
import type { LearningState } from './learning-state.ts';
import type { Demotion, Proposal } from './learning-marks.ts';

/** What has been learned, for a person to look at. */
export interface LearnStatus {
  readonly experiences: number;
  readonly kinds: readonly {
    readonly example: string;
    readonly successes: number;
    /** Further successes until a skill is drafted; 0 when there is one, or enough for one. */
    readonly missing: number;
  }[];
  readonly skills: readonly {
    readonly name: string;
    readonly form: Skill['form'];
    readonly trust: Skill['trust'];
    readonly version: string;
    readonly demoted: Demotion | undefined;
    readonly pinned: boolean;
    readonly stale: boolean;
    readonly total: Tally;
    /** Newest first. */
    readonly versions: readonly (Tally & {
      readonly version: string;
      readonly state: string;
      readonly why: string;
    })[];
    /** Calls of each use, oldest first. */
    readonly curve: readonly number[];
  }[];
  /** By name, of every skill that has one. */
  readonly marks: {
    readonly demoted: Readonly<Record<string, Demotion>>;
    readonly pinned: readonly string[];
    readonly stale: readonly string[];
  };
  /** When the library was tidied last; 0: never. */
  readonly curatedAt: number;
  /** Experiences since the last reflective pass. */
  readonly sinceReflected: number;
  readonly proposals: readonly Proposal[];
  readonly ledger: readonly SkillEdit[];
}

const MOST_KINDS = 20;
const MOST_USES = 200;
const CURVE = 20;
const TAIL = 20;

export async function learnStatus(state: LearningState): Promise<LearnStatus> {
  const { deps, marks, settings, clusters } = state;
  const [demoted, pinned, stale] = await Promise.all([marks.demoted(), marks.pinned(), marks.stale()]);
  const uses = await deps.history.uses({ limit: MOST_USES * 5 });
  const used = new Set(uses.map(({ skill }) => skill));
  const shown = (await deps.shelf.all()).filter(({ trust, name }) => trust === 'own' || used.has(name));
  const kinds = clusters
    .all()
    .map(({ members }) => ({
      example: members.at(-1)?.experience.task ?? '',
      successes: members.length,
      missing: Math.max(0, settings.draftAfter - members.length),
    }))
    .toSorted((a, b) => b.successes - a.successes)
    .slice(0, MOST_KINDS);
  const skills = shown.map(async (skill) => {
    const own = uses.filter((use) => use.skill === skill.name);
    const versions = await deps.history.versions(skill.name);
    return {
      name: skill.name,
      form: skill.form,
      trust: skill.trust,
      version: skill.version,
      demoted: demoted[skill.name],
      pinned: pinned.includes(skill.name),
      stale: stale.includes(skill.name),
      total: tally(own),
      versions: versions.map(({ version, state: at, why }) => ({
        version,
        state: at,
        why,
        ...tally(own.filter((use) => use.version === version)),
      })),
      curve: own
        .slice(0, CURVE)
        .toReversed()
        .map(({ calls }) => calls),
    };
  });
  return {
    experiences: await deps.experiences.count(),
    kinds,
    skills: await Promise.all(skills),
    marks: { demoted, pinned, stale },
    curatedAt: await marks.time('curated'),
    sinceReflected: await marks.time('reflected'),
    proposals: (await marks.proposals()).slice(0, TAIL),
    ledger: await deps.history.edits({ limit: TAIL }),
  };
}

import type { Experience } from '#spec/data';
import { alike, likeWords, type Rarities } from './alike.ts';
import { type KnownExperience, knownExperience, taskTerms } from './known-experience.ts';
import { rarity } from './rarity.ts';

/** Tasks of one kind that succeeded, oldest first. */
export interface Cluster {
  /** That of its first member. */
  readonly id: string;
  readonly members: readonly KnownExperience[];
}

/** A past task, and how far its words are those of another one. */
export interface Neighbour {
  readonly experience: Experience;
  readonly likeness: number;
}

export interface Clusters {
  /** Takes an experience in and tells where it belongs; undefined for one that failed. */
  add(experience: Experience): Cluster | undefined;
  /** It turned out to be no success, or is too old. */
  drop(id: string): void;
  all(): readonly Cluster[];
  of(id: string): Cluster | undefined;
  /** Past tasks that are worded most alike, best first. */
  nearest(task: string, limit: number): readonly Neighbour[];
  readonly rarities: Rarities;
}

/** Members that a new task is compared with: the newest say best how it is done now. */
const COMPARED = 5;
const WORDS = 0.35;
const PATH = 0.65;
/** Below this, alike words do not make two tasks one: they are done differently. */
const LEAST_PATH = 0.5;

/** Sorts experiences into kinds as they come, without looking at all of them again. */
export function experienceClusters(options: { readonly alike: number; readonly mostKept: number }): Clusters {
  const rarities: Rarities = { terms: rarity(), steps: rarity() };
  const clusters = new Map<string, KnownExperience[]>();
  const home = new Map<string, string>();

  const likeness = (known: KnownExperience, members: readonly KnownExperience[]): number => {
    const near = members.slice(-COMPARED).map((member) => {
      const { words, path } = alike(known, member, rarities);
      return path < LEAST_PATH ? 0 : WORDS * words + PATH * path;
    });
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  };
  const view = (id: string): Cluster => ({ id, members: clusters.get(id) ?? [] });

  const drop = (id: string) => {
    const at = home.get(id);
    const members = at === undefined ? undefined : clusters.get(at);
    const known = members?.find(({ experience }) => experience.id === id);
    if (at === undefined || !members || !known) return;
    rarities.terms.drop(known.terms);
    rarities.steps.drop(known.shapes.map(({ key }) => key));
    home.delete(id);
    members.splice(members.indexOf(known), 1);
    if (!members.length) clusters.delete(at);
  };

  return {
    rarities,
    drop,
    add: (experience) => {
      if (home.has(experience.id)) drop(experience.id);
      if (!experience.success) return undefined;
      const known = knownExperience(experience);
      let best: string | undefined;
      let bestLikeness = options.alike;
      for (const [id, members] of clusters) {
        const value = likeness(known, members);
        if (value >= bestLikeness) [best, bestLikeness] = [id, value];
      }
      const id = best ?? experience.id;
      rarities.terms.add(known.terms);
      rarities.steps.add(known.shapes.map(({ key }) => key));
      clusters.set(id, [...(clusters.get(id) ?? []), known]);
      home.set(experience.id, id);
      const [oldest] = home.keys();
      if (home.size > options.mostKept && oldest !== undefined) drop(oldest);
      return view(id);
    },
    all: () => [...clusters.keys()].map(view),
    nearest: (task, limit) => {
      const terms = taskTerms(task);
      return [...clusters.values()]
        .flatMap((members) =>
          members.map((known) => ({
            experience: known.experience,
            likeness: likeWords(terms, known.terms, rarities.terms.worth),
          })),
        )
        .toSorted((a, b) => b.likeness - a.likeness)
        .slice(0, limit);
    },
    of: (id) => {
      const at = home.get(id);
      return at === undefined ? undefined : view(at);
    },
  };
}

import { cutTerms } from '#engines/retrieval';
import type { ExperienceStep } from '#spec/data';
import type { Procedure, Slot } from '../procedure/procedure.ts';
import type { KnownExperience } from '../similarity/known-experience.ts';
import type { Cluster } from '../similarity/experience-clusters.ts';
import type { Rarities } from '../similarity/alike.ts';
import { commonPath } from './common-path.ts';
import { generalise, type Generalised } from './generalise.ts';
import { nameSkill } from './name-skill.ts';
import { withoutFrame } from './without-frame.ts';
import { slottedTask } from './slotted-task.ts';

/** A skill before it is written down in either form. */
export interface Draft {
  readonly name: string;
  readonly procedure: Procedure;
  /** Tasks of this kind in the words of those who set them, with slots. */
  readonly examples: readonly string[];
  /** Calls that failed on the way in several of the tasks, and with what. */
  readonly deadEnds: readonly { readonly tool: string; readonly error: string }[];
  readonly from: readonly string[];
}

const MOST_EXAMPLES = 6;
const MOST_MEMBERS = 8;
const LEAST_STEPS = 2;

/** What the tasks of a kind have in common, as a draft. Undefined when that is too little to be worth a skill. */
export function draftOf(
  cluster: Cluster,
  taken: (name: string) => boolean,
  { terms: words, steps }: Rarities,
): Draft | undefined {
  const members = cluster.members.slice(-MOST_MEMBERS);
  const path = commonPath(members, steps);
  if (path.length < LEAST_STEPS) return undefined;
  const tasks = members.map(({ experience }) => experience.task);
  const general = generalise(path, tasks);
  const examples = members.map((member, at) =>
    withoutFrame(slottedTask(member.experience.task, valuesOf(general, at)), words),
  );
  return {
    name: nameSkill(
      examples.map((text) => text.replaceAll(/<[^>]*>/g, ' ')),
      general.steps.map(({ tool }) => tool),
      taken,
      (word) => words.of(cutTerms(word)[0] ?? word),
    ),
    procedure: { steps: general.steps, slots: general.slots, handlers: [] },
    examples: [...new Set(examples)].slice(0, MOST_EXAMPLES),
    deadEnds: deadEndsOf(general, members),
    from: members.map(({ experience }) => experience.id),
  };
}

const ofTask = (slots: readonly Slot[]) =>
  new Set(slots.filter(({ from }) => from === 'task').map(({ name }) => name));

function valuesOf({ slots, values }: Generalised, at: number): ReadonlyMap<string, string> {
  const named = ofTask(slots);
  return new Map(
    [...values].flatMap(([name, column]) => {
      const value = column[at];
      return named.has(name) && value ? [[name, value] as const] : [];
    }),
  );
}

const MOST_DEAD_ENDS = 3;

function deadEndsOf({ steps }: Generalised, members: readonly KnownExperience[]): Draft['deadEnds'] {
  const used = new Set(steps.map(({ tool }) => tool));
  const counts = new Map<string, { count: number; step: ExperienceStep }>();
  for (const { experience } of members) {
    const tools = new Set<string>();
    for (const step of experience.path) {
      if (step.ok || used.has(step.tool) || tools.has(step.tool)) continue;
      tools.add(step.tool);
      counts.set(step.tool, { count: (counts.get(step.tool)?.count ?? 0) + 1, step });
    }
  }
  return [...counts.values()]
    .filter(({ count }) => count * 2 > members.length)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_DEAD_ENDS)
    .map(({ step }) => ({ tool: step.tool, error: step.summary }));
}

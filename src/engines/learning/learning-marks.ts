import { z } from 'zod';
import type { Marks } from '#spec/ports';

/** Why a skill is not offered any more. */
const Demotion = z.object({ why: z.string(), at: z.number() });

/** Something that was proposed for the library, with the numbers that decided about it. */
const Proposal = z.object({
  id: z.string(),
  kind: z.enum(['draft', 'mutation', 'merge']),
  skill: z.string(),
  what: z.string(),
  accepted: z.boolean(),
  why: z.string(),
  /** Scores before and after, in sum over the tasks it was tried on. */
  before: z.number(),
  after: z.number(),
  tasks: z.number().int(),
  text: z.string(),
  at: z.number(),
});
export type Proposal = z.infer<typeof Proposal>;
export type Demotion = z.infer<typeof Demotion>;

const MOST_PROPOSALS = 60;

/** What the loop keeps between restarts beside experiences and the history. */
export interface LearningMarks {
  demoted(): Promise<Readonly<Record<string, Demotion>>>;
  setDemoted(skill: string, demotion: Demotion | undefined): Promise<void>;
  pinned(): Promise<readonly string[]>;
  setPinned(skill: string, on: boolean): Promise<void>;
  stale(): Promise<readonly string[]>;
  setStale(skills: readonly string[]): Promise<void>;
  /** Newest first. */
  proposals(): Promise<readonly Proposal[]>;
  propose(proposal: Proposal): Promise<void>;
  /** Changes that were taken back, as their reasons: they are not made again. */
  takenBack(skill: string): Promise<readonly string[]>;
  takeBack(skill: string, why: string): Promise<void>;
  time(name: 'reflected' | 'curated'): Promise<number>;
  setTime(name: 'reflected' | 'curated', value: number): Promise<void>;
}

/** A mark that cannot be read, such as one of another version, counts as not set. */
export function learningMarks(marks: Marks): LearningMarks {
  const read = async <T>(name: string, schema: z.ZodType<T>, otherwise: T): Promise<T> => {
    const parsed = schema.safeParse(await marks.get(`learning/${name}`));
    return parsed.success ? parsed.data : otherwise;
  };
  const write = (name: string, value: unknown) => marks.set(`learning/${name}`, value);
  const names = z.array(z.string());
  const byName = z.record(z.string(), Demotion);
  const lists = z.record(z.string(), names);
  const demoted = () => read('demoted', byName, {});
  const pinned = () => read('pinned', names, []);
  const proposals = () => read('proposals', z.array(Proposal), []);
  const back = () => read('taken-back', lists, {});
  return {
    demoted,
    setDemoted: async (skill, demotion) => {
      const { [skill]: _, ...others } = await demoted();
      await write('demoted', demotion ? { ...others, [skill]: demotion } : others);
    },
    pinned,
    setPinned: async (skill, on) => {
      const others = (await pinned()).filter((name) => name !== skill);
      await write('pinned', on ? [...others, skill] : others);
    },
    stale: () => read('stale', names, []),
    setStale: (skills) => write('stale', skills),
    proposals,
    propose: async (proposal) =>
      write('proposals', [proposal, ...(await proposals())].slice(0, MOST_PROPOSALS)),
    takenBack: async (skill) => (await back())[skill] ?? [],
    takeBack: async (skill, why) => {
      const all = await back();
      await write('taken-back', { ...all, [skill]: [...(all[skill] ?? []), why].slice(-10) });
    },
    time: (name) => read(name, z.number(), 0),
    setTime: (name, value) => write(name, value),
  };
}

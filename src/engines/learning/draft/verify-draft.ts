import type { Experience } from '#spec/data';
import { readProcedure } from '../procedure/read-procedure.ts';
import { slotsIn } from '../procedure/procedure.ts';
import type { Rarity } from '../similarity/rarity.ts';
import type { Draft } from './draft.ts';
import { type Replay, replay } from './replay.ts';

const LEAST_MEAN = 0.8;
const LEAST_EACH = 0.5;
const LEAST_COMPLETE = 0.6;

export interface Verdict {
  /** Why it is not stored; undefined when it may be. */
  readonly problem: string | undefined;
  readonly replays: readonly Replay[];
  /** Mean of the replays. */
  readonly score: number;
}

/** Reads a draft back as others will, and follows the tasks that it was drawn from with it. */
export function verifyDraft(
  draft: Draft,
  document: string,
  tasks: readonly Experience[],
  rare?: Rarity,
): Verdict {
  const procedure = readProcedure(document);
  const replays = procedure ? tasks.map((task) => replay(procedure, task, rare)) : [];
  const score = replays.reduce((sum, one) => sum + one.score, 0) / (replays.length || 1);
  return { problem: problemOf(), replays, score };

  function problemOf(): string | undefined {
    if (!procedure) return 'its steps cannot be read back';
    if (JSON.stringify(procedure.steps) !== JSON.stringify(draft.procedure.steps))
      return 'its steps read back differently';
    const known = new Set(procedure.slots.map(({ name }) => name));
    const unknown = procedure.steps.flatMap(({ input }) => slotsIn(input)).find((name) => !known.has(name));
    if (unknown !== undefined) return `the input '${unknown}' is not explained`;
    if (!replays.length) return 'there is no task to try it on';
    if (score < LEAST_MEAN)
      return `it would have done ${Math.round(score * 100)} % of the tasks it comes from`;
    const complete = replays.reduce((sum, one) => sum + one.complete, 0) / replays.length;
    if (complete < LEAST_COMPLETE)
      return `it has only ${Math.round(complete * 100)} % of what was done in them`;
    const worst = replays.find((one) => one.score < LEAST_EACH);
    return worst ? `it does not fit the task ${worst.experience}` : undefined;
  }
}

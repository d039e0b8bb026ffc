import type { Experience } from '#spec/data';
import type { LearnEvent } from '../learn-event.ts';
import type { LearningState } from '../learning-state.ts';
import { readProcedure } from '../procedure/read-procedure.ts';
import {
  type Candidate,
  evaluate,
  paretoFront,
  rightSkill,
  type Select,
  sumOf,
  type Trial,
} from './evaluate.ts';
import { modelMutation } from './model-mutation.ts';
import { type Mutation, mutations, type Traces } from './mutations.ts';
import type { TrialShelf } from './trial-shelf.ts';

const MOST_TASKS = 80;
const MOST_TRIALS = 40;
const MOST_SKILLS = 4;
const MOST_CANDIDATES = 4;
const WORTH_IT = 0.05;

/**
 * Looks back on recorded tasks: for the skills that did worst on them, tries small changes on the same tasks, keeps
 * those that no other one beats everywhere, and writes the best of them when it beats what is there in sum.
 */
export async function reflect(state: LearningState, signal: AbortSignal): Promise<LearnEvent[]> {
  const candidates = await ownCandidates(state);
  if (!candidates.length) return [];
  const tasks = state.clusters
    .all()
    .flatMap(({ members }) => members.map(({ experience }) => experience))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_TASKS);
  const trials = tasks.map(
    (experience): Trial => ({
      experience,
      right: rightSkill(candidates, experience, state.clusters),
    }),
  );
  const trial = await state.deps.trial?.();
  const select = trial && ((task: string) => trial.match(task));
  const events: LearnEvent[] = [];
  for (const { candidate, traces } of await weakest(candidates, trials, select)) {
    if (signal.aborted) break;
    events.push(...(await improveOne(state, { candidate, candidates, traces, trials, trial }, signal)));
  }
  return events;
}

async function ownCandidates(state: LearningState): Promise<Candidate[]> {
  const pinned = new Set(await state.marks.pinned());
  const own = (await state.offered()).filter(
    ({ trust, form, name }) => trust === 'own' && form === 'document' && !pinned.has(name),
  );
  const read = own.map(async (skill): Promise<Candidate[]> => {
    const text = await state.textOf(skill);
    const procedure = text === undefined ? undefined : readProcedure(text);
    return text !== undefined && procedure ? [{ skill, text, procedure }] : [];
  });
  return (await Promise.all(read)).flat();
}

/** Skills that missed tasks, fired wrongly or have steps that their tasks did without; the worst first. */
async function weakest(
  candidates: readonly Candidate[],
  trials: readonly Trial[],
  select: Select | undefined,
) {
  const fired = await Promise.all(
    trials.map(async ({ experience, right }) =>
      select ? (await select(experience.task))[0]?.skill.name : right,
    ),
  );
  return candidates
    .map((candidate) => {
      const { name } = candidate.skill;
      const pick = (
        wanted: (right: string | undefined, chosen: string | undefined) => boolean,
      ): Experience[] =>
        trials.flatMap(({ experience, right }, at) => (wanted(right, fired[at]) ? [experience] : []));
      const traces: Traces = {
        own: pick((right) => right === name),
        missed: pick((right, chosen) => right === name && chosen !== name),
        wrong: pick((right, chosen) => right !== name && chosen === name),
      };
      return { candidate, traces };
    })
    .filter(({ candidate, traces }) => mutations(candidate, traces).length)
    .toSorted((a, b) => faults(b.traces) - faults(a.traces))
    .slice(0, MOST_SKILLS);
}

const faults = ({ missed, wrong }: Traces): number => missed.length + wrong.length;

interface Look {
  readonly candidate: Candidate;
  readonly candidates: readonly Candidate[];
  readonly traces: Traces;
  readonly trials: readonly Trial[];
  readonly trial: TrialShelf | undefined;
}

async function improveOne(
  state: LearningState,
  { candidate, candidates, traces, trials: all, trial }: Look,
  signal: AbortSignal,
): Promise<LearnEvent[]> {
  const { skill } = candidate;
  const others = candidates.filter((one) => one !== candidate);
  const concerned = new Set([...traces.own, ...traces.wrong].map(({ id }) => id));
  const trials = [
    ...all.filter(({ experience }) => concerned.has(experience.id)),
    ...all.filter(({ experience }) => !concerned.has(experience.id)),
  ].slice(0, MOST_TRIALS);
  const score = async (mutation: Mutation) => {
    const procedure = readProcedure(mutation.text);
    if (!procedure) return [];
    const changed = [...others, { skill, text: mutation.text, procedure }];
    trial?.wear(skill, mutation.text);
    const scores = await evaluate(changed, trials, trial && ((task) => trial.match(task)));
    return [{ ...mutation, scores }];
  };
  const written = await modelMutation(state, candidate, traces, signal);
  const tried = [...written, ...mutations(candidate, traces)].slice(0, MOST_CANDIDATES);
  const now = (await score({ what: 'as it is', text: candidate.text }))[0];
  if (!now) return [];
  const scored: (Mutation & { readonly scores: readonly number[] })[] = [];
  // One after the other: there is one shelf to try them on.
  for (const mutation of tried) scored.push(...(await score(mutation)));
  const best = paretoFront([now, ...scored]).toSorted((a, b) => sumOf(b.scores) - sumOf(a.scores))[0] ?? now;
  const takenBack = await state.marks.takenBack(skill.name);
  const events: LearnEvent[] = [];
  for (const one of scored) {
    const why = `${one.what}: ${sumOf(now.scores).toFixed(2)} to ${sumOf(one.scores).toFixed(2)} in ${trials.length} tasks`;
    const wins = one === best && sumOf(one.scores) > sumOf(now.scores) + WORTH_IT && !takenBack.includes(why);
    await state.marks.propose({
      id: state.newId('prop'),
      kind: 'mutation',
      skill: skill.name,
      what: one.what,
      accepted: wins,
      why: wins ? 'the best of those that nothing beats' : 'it does not beat what is there',
      before: sumOf(now.scores),
      after: sumOf(one.scores),
      tasks: trials.length,
      text: one.text,
      at: state.deps.now(),
    });
    if (!wins) continue;
    const changes = [{ path: skill.path, text: one.text }];
    const from = [...concerned];
    events.push(
      await state.change(
        { action: 'improved', skill: skill.name, changes, why, by: 'reflection', from },
        'improved',
      ),
    );
  }
  return events;
}

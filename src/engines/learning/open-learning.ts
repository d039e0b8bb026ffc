import { fail } from '#kit/app-error';
import type { Experience } from '#spec/data';
import type { SkillMatch } from '#spec/ports';
import { catchMissed } from './after-use/catch-missed.ts';
import { learnFromUse } from './after-use/learn-from-use.ts';
import { curate } from './curate/curate.ts';
import { draftSkill } from './draft/draft-skill.ts';
import { renewWorkflow } from './draft/renew-workflow.ts';
import { experienceOf, type FinishedTurn, taskOf } from './experience/experience-of.ts';
import { isCorrection } from './experience/judge-success.ts';
import { type LearnStatus, learnStatus } from './learn-status.ts';
import type { LearnEvent } from './learn-event.ts';
import type { LearningDeps } from './learning-deps.ts';
import { learningState } from './learning-state.ts';
import { offer } from './offer.ts';
import { reflect } from './reflect/reflect.ts';

/** The loop that makes Hermes better with use. One thing at a time: callers need not wait for each other. */
export interface Learning {
  /** Learns from a turn that is over, and from what it says about the one before. */
  learnFrom(turn: FinishedTurn, signal?: AbortSignal): Promise<readonly LearnEvent[]>;
  /** Learns from something else that was done: a run of a workflow, an incident. */
  record(experience: Experience, signal?: AbortSignal): Promise<readonly LearnEvent[]>;
  /**
   * Of skills that the library found for a message, those that are to be shown: no demoted ones, none that past tasks
   * speak against, one of two twins; and one that only past tasks speak for.
   */
  offer(
    matches: readonly SkillMatch[],
    message: { readonly text: string; readonly prefer?: 'document' | 'workflow' },
  ): Promise<readonly SkillMatch[]>;
  /** Names of skills that are not offered any more. */
  demoted(): Promise<readonly string[]>;
  /** The reflective pass, now. */
  reflect(signal?: AbortSignal): Promise<readonly LearnEvent[]>;
  /** Tidies the library. For times at which nothing else happens. */
  curate(signal?: AbortSignal): Promise<readonly LearnEvent[]>;
  status(): Promise<LearnStatus>;
  pin(skill: string, on: boolean): Promise<void>;
  /** Offers a demoted skill again. */
  restore(skill: string): Promise<LearnEvent>;
  /** Takes an edit of the ledger back. */
  undo(edit: string): Promise<void>;
}

const MOST_SESSIONS = 200;
const NEVER = new AbortController().signal;

export function openLearning(deps: LearningDeps): Learning {
  const state = learningState(deps);
  const { settings, marks, clusters } = state;
  /** What each conversation did last: the next message in it may say that it was wrong. */
  const last = new Map<string, Experience>();
  let queue: Promise<unknown> | undefined;

  /** Takes the newest experiences of the book into mind. */
  async function remember(): Promise<void> {
    const known = await deps.experiences.list({ limit: settings.mostKept });
    for (const experience of known.toReversed()) clusters.add(experience);
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = (queue ?? remember()).then(work);
    // The next one does not care how this one ended; whoever asked for it does.
    queue = done.catch(() => undefined);
    return done;
  };

  async function correct({ session, messages }: FinishedTurn): Promise<LearnEvent[]> {
    const before = last.get(session);
    last.delete(session);
    if (!before?.success || !isCorrection(taskOf(messages))) return [];
    const wrong = { ...before, success: false };
    await deps.experiences.add(wrong);
    clusters.add(wrong);
    const { skill } = wrong;
    return skill ? learnFromUse(state, { ...wrong, skill }) : [];
  }

  async function take(experience: Experience, signal: AbortSignal): Promise<LearnEvent[]> {
    await deps.experiences.add(experience);
    const cluster = clusters.add(experience);
    const { skill } = experience;
    const events = skill
      ? await learnFromUse(state, { ...experience, skill })
      : await catchMissed(state, experience);
    if (cluster)
      events.push(...(await renewWorkflow(state, cluster)), ...(await draftSkill(state, cluster, signal)));
    const since = (await marks.time('reflected')) + 1;
    const due = since >= settings.reflectEvery;
    await marks.setTime('reflected', due ? 0 : since);
    return due ? [...events, ...(await reflect(state, signal))] : events;
  }

  async function restore(skill: string): Promise<LearnEvent> {
    if (!(await marks.demoted())[skill])
      throw fail(
        'input.invalid',
        `'${skill}' is offered: there is nothing to restore.`,
        'hermes learn status',
      );
    await marks.setDemoted(skill, undefined);
    const why = 'asked for';
    const id = state.newId('edit');
    const made = { id, action: 'restored', skill, why, by: 'user', at: deps.now() } as const;
    await deps.history.addEdit({ ...made, before: [], after: [], undone: false });
    return { kind: 'restored', skill, why, edit: id };
  }

  return {
    learnFrom: (turn, signal = NEVER) =>
      inTurn(async () => {
        const events = await correct(turn);
        const versions = new Map((await deps.shelf.all()).map(({ name, version }) => [name, version]));
        const experience = experienceOf(turn, {
          versionOf: (name) => versions.get(name),
          secrets: deps.secrets?.() ?? [],
          id: state.newId('exp'),
        });
        if (!experience) return events;
        last.set(turn.session, experience);
        const [oldest] = last.keys();
        if (last.size > MOST_SESSIONS && oldest !== undefined) last.delete(oldest);
        return [...events, ...(await take(experience, signal))];
      }),
    record: (experience, signal = NEVER) => inTurn(() => take(experience, signal)),
    offer: (matches, { text, prefer = 'document' }) => inTurn(() => offer(state, matches, text, prefer)),
    demoted: () => inTurn(async () => Object.keys(await marks.demoted())),
    reflect: (signal = NEVER) => inTurn(() => reflect(state, signal)),
    curate: (signal = NEVER) =>
      inTurn(async () => {
        const events = await curate(state, signal);
        await marks.setTime('curated', deps.now());
        return events;
      }),
    status: () => inTurn(() => learnStatus(state)),
    pin: (skill, on) => inTurn(() => marks.setPinned(skill, on)),
    restore: (skill) => inTurn(() => restore(skill)),
    undo: (edit) =>
      inTurn(async () => {
        const [found] = await deps.history.edits({ id: edit, limit: 1 });
        if (!found) throw fail('input.invalid', `There is no edit '${edit}'.`, 'hermes learn status');
        if (found.action !== 'demoted') {
          await deps.pen.undo(edit);
          return;
        }
        await restore(found.skill);
        await deps.history.markUndone(edit);
      }),
  };
}

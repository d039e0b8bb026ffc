import type { Language } from '#kit/language';
import type { OperatorPlan } from '#spec/ports';
import { deferredCall } from './incident-answers.ts';
import { MACHINE_TOPICS } from './machine-readings.ts';
import { isHere } from './mood.ts';
import { operatorWords } from './operator-words.ts';
import type { Slots } from './slots.ts';

/** The reading of the one thing that is named, instead of the one of all of them. */
export function moreExact(id: string, slots: Slots, said: string): string {
  // In a Chinese sentence a Latin word is a name.
  const named = slots.unit !== undefined && /\p{Script=Han}/u.test(said) ? slots.unit : undefined;
  if (id === 'errors' && named && !isHere(said)) return 'unit-log';
  return id === 'ports' && slots.port !== undefined ? 'port' : id;
}

/** A reading of this machine, or the question for what it needs to know. */
export function machinePlan(id: string, slots: Slots, language: Language): OperatorPlan | undefined {
  const topic = MACHINE_TOPICS[id];
  if (!topic) return undefined;
  if (lacksName(id, slots))
    return { before: operatorWords(language).needsMore(topic.title[language], topic.example[language]) };
  const calls = topic
    .calls(slots)
    .map(({ name, input }) => (name === 'read_file' ? { name, input } : deferredCall(name, input)));
  const pointer = topic.runbook ? operatorWords(language).alsoRunbook(topic.runbook) : '';
  return {
    calls,
    show: (results) => topic.show(results, slots, language),
    ...(pointer ? { after: pointer } : {}),
  };
}

/** Whether something is not named that a reading needs to know. */
export const lacksName = (id: string, slots: Slots): boolean =>
  (MACHINE_TOPICS[id]?.needs ?? []).some((need) => slots[need] === undefined);

import type { Language } from '#kit/language';
import type { OperatorPlan } from '#spec/ports';
import { deferredCall } from './incident-answers.ts';
import { MACHINE_TOPICS } from './machine-readings.ts';
import { isHere } from './mood.ts';
import { operatorWords } from './operator-words.ts';
import type { Slots } from './slots.ts';

/** Readings of all processes, of which one program's are meant where one is named. */
const OF_PROCESSES = new Set([
  'process',
  'service',
  'services',
  'memory',
  'top-cpu',
  'top-memory',
  'sessions',
]);
/** Words of logs, which name no unit. */
const NO_UNIT = new Set(
  'error errors err warn warning warnings fatal panic log logs syslog kernel system journal linux host server exception'.split(
    ' ',
  ),
);
/** Readings that go out from this machine: another one that is named is what they are about. */
const OUTWARD = new Set(['resolve', 'reach', 'http', 'certificate']);

/** The reading of the one thing that is named, instead of the one of all of them. */
export function moreExact(
  id: string,
  slots: Slots,
  said: string,
): { readonly id: string; readonly slots: Slots } {
  if (slots.program !== undefined && slots.pid === undefined && OF_PROCESSES.has(id))
    return { id: 'service', slots: { ...slots, unit: slots.program } };
  // In a Chinese sentence a Latin word is a name.
  const named =
    slots.unit !== undefined && /\p{Script=Han}/u.test(said) && !NO_UNIT.has(slots.unit)
      ? slots.unit
      : undefined;
  if (id === 'errors' && named && !isHere(said)) return { id: 'unit-log', slots };
  if (id === 'unit-log' && slots.unit !== undefined && NO_UNIT.has(slots.unit))
    return { id: 'errors', slots };
  if (id === 'mounts' && slots.path !== undefined) return { id: 'disk-space', slots };
  return { id: id === 'ports' && slots.port !== undefined ? 'port' : id, slots };
}

/** What a reading that is meant comes to, for what a message names. */
export function readingPlan(
  id: string,
  named: Slots,
  said: string,
  language: Language,
): OperatorPlan | undefined {
  const { id: exact, slots } = moreExact(id, named, said);
  return machinePlan(exact, slots, language);
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
  const { elsewhere } = slots;
  return {
    ...(elsewhere !== undefined && !OUTWARD.has(id)
      ? { before: operatorWords(language).elsewhere(elsewhere) }
      : {}),
    calls,
    show: (results) => topic.show(results, slots, language),
    ...(pointer ? { after: pointer } : {}),
  };
}

/** Whether something is not named that a reading needs to know. */
export const lacksName = (id: string, slots: Slots): boolean =>
  (MACHINE_TOPICS[id]?.needs ?? []).some((need) => slots[need] === undefined);

import type { IncidentFact, MemoryKind } from '#spec/data';
import { readMeasured } from '../policy/measured-evidence.ts';
import { showAction } from '../priors/show-action.ts';
import type { Sieve } from './clean-text.ts';
import { habitsOf } from './habits.ts';
import type { Story } from './story.ts';
import type { LessonWords } from './words.ts';

/** Something for the long-term memory. A new one of the same key takes the place of the old. */
export interface LessonMemory {
  readonly kind: MemoryKind;
  readonly key: string;
  readonly text: string;
}

const MOST_SIGNS = 4;
const LONGEST = 600;

/** Only what was proven becomes a pattern, a profile or a habit; every incident leaves a summary. */
export function memoriesOf(
  story: Story,
  facts: readonly IncidentFact[],
  words: LessonWords,
  sieve: Sieve,
): LessonMemory[] {
  const made: LessonMemory[] = [summary(story, words)];
  if (story.proof)
    made.push(...pattern(story, words, sieve), ...profile(story, words), ...habitsOf(story, facts, words));
  return made.flatMap(({ kind, key, text }) => {
    const clean = sieve.line(text, LONGEST);
    return clean ? [{ kind, key, text: clean }] : [];
  });
}

function summary({ incident, proof, category, service, minutes }: Story, words: LessonWords): LessonMemory {
  const { id, title, action, state } = incident;
  const cause =
    proof && category && service
      ? words.summaryCause(words.categories[category], service)
      : words.summaryOpen;
  const end =
    proof === 'recovery' && action
      ? words.summaryFix(showAction(action), minutes)
      : words.summaryEnd(state, minutes);
  return {
    kind: 'incident_summary',
    key: `incident/${id}`,
    text: `${words.summary(id, title.replace(/[.。]+$/, ''))}${cause}${end}`,
  };
}

function pattern(
  { incident, category, service, deciding, slug, proof }: Story,
  words: LessonWords,
  sieve: Sieve,
): LessonMemory[] {
  if (!category || !service) return [];
  const told = deciding.map((one) => sieve.line(one.summary, 120)).filter((text) => text !== undefined);
  const signs = (told.length ? told : [sieve.line(incident.title, 120) ?? ''])
    .slice(0, MOST_SIGNS)
    .join('; ');
  const fix = proof === 'recovery' && incident.action ? words.patternFix(showAction(incident.action)) : '';
  return [
    {
      kind: 'fault_pattern',
      key: `fault/${slug}`,
      text: `${words.pattern(service, words.categories[category], signs)}${fix}`,
    },
  ];
}

/** What the incident showed of the service itself: whom it calls, and which signals tell of its health. */
function profile({ service, deciding }: Story, words: LessonWords): LessonMemory[] {
  if (!service) return [];
  const measured = deciding
    .flatMap((one) => readMeasured(one) ?? [])
    .filter((found) => found.service === service);
  const metrics = measured.map(({ metric }) => metric);
  const callees = measured.flatMap(({ callee }) => callee ?? []);
  if (!metrics.length) return [];
  const depends = callees.length ? words.dependsOn([...new Set(callees)].join(', ')) : '';
  const signals = words.signals([...new Set(metrics)].join(', '));
  return [
    {
      kind: 'service_profile',
      key: `service/${service}/signals`,
      text: `${words.profile(service)}${depends}${signals}`,
    },
  ];
}

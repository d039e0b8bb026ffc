import type { IncidentFact, ProposedAction } from '#spec/data';
import type { LessonMemory } from './memories.ts';
import type { Story } from './story.ts';
import type { LessonWords } from './words.ts';

/** Once is chance. */
const LEAST_DECISIONS = 2;

interface Decision {
  readonly granted: boolean;
  readonly channel: string;
  readonly action: ProposedAction | undefined;
}

/** Decisions of the timeline with the action that was proposed last before each. */
export function decisionsOf(facts: readonly IncidentFact[]): Decision[] {
  let proposed: ProposedAction | undefined;
  return facts.flatMap((fact) => {
    if (fact.type === 'action.proposed') proposed = fact.data.action;
    if (fact.type !== 'approval.granted' && fact.type !== 'approval.denied') return [];
    return [{ granted: fact.type === 'approval.granted', channel: fact.data.channel, action: proposed }];
  });
}

/** What the timeline shows people to do the same way again, or to prefer. Names of people are not kept. */
export function habitsOf(
  { incident, category, service, slug }: Story,
  facts: readonly IncidentFact[],
  words: LessonWords,
): LessonMemory[] {
  const decisions = decisionsOf(facts);
  const habits: LessonMemory[] = [];
  const channels = new Set(decisions.map(({ channel }) => channel));
  const [channel] = channels;
  if (decisions.length >= LEAST_DECISIONS && channels.size === 1 && channel !== undefined) {
    habits.push({
      kind: 'team_preference',
      key: `team/approval-channel/${incident.severity}`,
      text: words.channelHabit(channel, incident.severity),
    });
  }
  const denied = decisions.findIndex(({ granted }) => !granted);
  const worse = decisions[denied]?.action?.operation;
  const better = decisions.slice(denied + 1).find(({ granted }) => granted)?.action?.operation;
  if (denied >= 0 && worse && better && worse !== better && category && service) {
    habits.push({
      kind: 'team_preference',
      key: `team/choice/${slug}`,
      text: words.choiceHabit(words.categories[category], service, better, worse),
    });
  }
  return habits;
}

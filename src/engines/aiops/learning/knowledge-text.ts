import { showAction } from '../priors/show-action.ts';
import { inlineCode, plainMarkdown, type Sieve } from './clean-text.ts';
import { queryLines } from './skill-text.ts';
import type { Story } from './story.ts';
import type { LessonWords } from './words.ts';

export const knowledgePath = (incident: string): string =>
  `incidents/${incident.replace(/[^\w.-]+/g, '-')}.md`;

/** One incident as a document that can be found and cited: what was seen, what it was, what ended it. */
export function knowledgeText(story: Story, words: LessonWords, sieve: Sieve): string | undefined {
  const { incident, category, service, cause, change, fix, deciding, proof, minutes } = story;
  if (!category || !service) return undefined;
  const line = (text: string | undefined): string | undefined => {
    const clean = text === undefined ? undefined : sieve.line(text);
    return clean ? plainMarkdown(clean) : undefined;
  };
  const list = (texts: readonly (string | undefined)[]): string[] =>
    texts.flatMap((text) => (text ? [`- ${text}`] : []));
  const action =
    incident.action && proof === 'recovery' ? inlineCode(showAction(incident.action)) : undefined;
  const end = line(fix);
  return [
    `# ${plainMarkdown(service)}: ${words.categories[category]}`,
    '',
    `${incident.id}, ${incident.startsAt.slice(0, 10)}, ${incident.severity}, ${minutes} min${proof ? `, ${words.outcomes[proof]}` : ''}`,
    '',
    `## ${words.whenToUse}`,
    '',
    ...list([line(incident.title), ...deciding.map(({ summary }) => line(summary))]),
    '',
    `## ${words.cause}`,
    '',
    line(cause) ?? words.categories[category],
    ...(change === undefined ? [] : ['', words.change(inlineCode(change))]),
    '',
    `## ${words.queries}`,
    '',
    ...queryLines(story, sieve),
    '',
    `## ${words.action}`,
    '',
    ...list([action, end === undefined ? undefined : words.fix(end)]),
    ...(action === undefined && end === undefined ? [words.noAction] : []),
    '',
    `## ${words.verification}`,
    '',
    ...list(
      (incident.recovery?.checks ?? [])
        .filter(({ ok }) => ok !== undefined)
        .map(({ summary }) => line(summary)),
    ),
    '',
  ].join('\n');
}

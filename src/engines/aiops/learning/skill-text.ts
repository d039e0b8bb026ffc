import { stringify } from 'yaml';
import type { IncidentFact } from '#spec/data';
import { showAction } from '../priors/show-action.ts';
import { inlineCode, plainMarkdown, type Sieve } from './clean-text.ts';
import { decisionsOf } from './habits.ts';
import type { Story } from './story.ts';
import type { LessonWords } from './words.ts';

const SKILL_FOLDER = 'runbooks/runbookhermes';
const LONGEST_DESCRIPTION = 500;

/** Where the skill of a fault lies, below the skills of the home. */
export const skillPath = (slug: string): string => `${SKILL_FOLDER}/${slug}/SKILL.md`;
export const workflowPath = (slug: string): string => `${SKILL_FOLDER}/${slug}-evidence.yaml`;

/** The first version of a skill: how the fault looks, what decided, what was done behind which gates, what misleads. */
export function skillText(
  story: Story,
  facts: readonly IncidentFact[],
  words: LessonWords,
  sieve: Sieve,
): string | undefined {
  const { incident, category, service, slug, change, cause, fix } = story;
  if (!category || !service) return undefined;
  const fault = words.categories[category];
  const title = sieve.line(incident.title) ?? fault;
  const front = {
    name: slug,
    description: words.description(service, fault, title).slice(0, LONGEST_DESCRIPTION),
    version: '1.0.0',
    metadata: {
      hermes: {
        category: 'runbooks',
        tags: ['incident', service, category],
        triggers: {
          keywords: [
            ...new Set([title, `${service} ${category.replaceAll('_', ' ')}`, `${service} ${fault}`]),
          ],
        },
        created_from: [incident.id],
        seen: 1,
        recovered: story.proof === 'recovery' ? 1 : 0,
      },
    },
  };
  const why = sieve.line(cause ?? '');
  const ended = sieve.line(fix ?? '');
  const section = (heading: string, lines: readonly string[]): string[] =>
    lines.length ? ['', `## ${heading}`, '', ...lines] : [];
  return [
    '---',
    stringify(front).trimEnd(),
    '---',
    '',
    `# ${plainMarkdown(service)}: ${fault}`,
    ...section(words.whenToUse, [
      `- ${plainMarkdown(title)}`,
      ...signs(story, sieve).map((sign) => `- ${plainMarkdown(sign)}`),
      '',
      words.hint,
    ]),
    ...section(words.queries, queryLines(story, sieve)),
    ...section(words.cause, [
      `${fault}${why ? `: ${plainMarkdown(why)}` : ''}`,
      ...(change === undefined ? [] : [words.change(inlineCode(change))]),
    ]),
    ...section(words.action, actionLines(story, ended, words)),
    ...section(
      words.verification,
      (incident.recovery?.checks ?? [])
        .filter(({ ok }) => ok === true)
        .map(({ summary }) => `- ${plainMarkdown(summary)}`),
    ),
    ...section(words.pitfalls, pitfallLines(story, facts, words, sieve)),
    ...section(words.record, [
      tableRow(words.columns),
      tableRow(words.columns.map(() => '---')),
      recordRow(story, words),
    ]),
    '',
  ].join('\n');
}

const signs = ({ deciding }: Story, sieve: Sieve): string[] =>
  deciding.flatMap(({ summary }) => sieve.line(summary) ?? []).slice(0, 4);

export function queryLines({ deciding }: Story, sieve: Sieve): string[] {
  const lines = deciding.flatMap(({ kind, query, baseline, during }) => {
    const clean = sieve.line(query, 500);
    if (!clean) return [];
    const numbers =
      baseline === undefined || during === undefined ? '' : `: ${round(baseline)} → ${round(during)}`;
    return [`- ${inlineCode(clean)} (${kind})${numbers}`];
  });
  return [...new Set(lines)];
}

const round = (value: number): string => String(Number(value.toPrecision(3)));

function actionLines({ incident, proof }: Story, ended: string | undefined, words: LessonWords): string[] {
  const { action } = incident;
  const told = ended ? [words.fix(plainMarkdown(ended))] : [];
  if (proof !== 'recovery' || !action) return told.length ? told : [words.noAction];
  return [
    ...told,
    `- ${inlineCode(showAction(action))}`,
    `- ${words.risk(action.risk)}`,
    `- ${words.gates(action.confirmTwice, action.separateApprover)}`,
  ];
}

export function pitfallLines(
  { rejected, incident }: Story,
  facts: readonly IncidentFact[],
  words: LessonWords,
  sieve: Sieve,
): string[] {
  const denied = decisionsOf(facts).flatMap(({ granted, action }) =>
    granted || !action ? [] : [showAction(action)],
  );
  const vain = facts.flatMap((fact, index) => {
    if (fact.type !== 'recovery.failed') return [];
    const before = facts.slice(0, index).findLast(({ type }) => type === 'action.proposed');
    return before?.type === 'action.proposed' && before.data.action.id !== incident.action?.id
      ? [showAction(before.data.action)]
      : [];
  });
  const lines = [
    ...rejected.flatMap(({ why }) => {
      const clean = sieve.line(why);
      return clean ? [words.rejected(plainMarkdown(clean))] : [];
    }),
    ...denied.map((action) => words.denied(inlineCode(action))),
    ...vain.map((action) => words.vain(inlineCode(action))),
  ];
  return [...new Set(lines)].map((line) => `- ${line}`);
}

export const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function recordRow({ incident, proof, minutes }: Story, words: LessonWords): string {
  const { id, startsAt, severity, action } = incident;
  const outcome = proof ? words.outcomes[proof] : '–';
  return tableRow([id, startsAt.slice(0, 10), severity, action?.operation ?? '–', outcome, String(minutes)]);
}

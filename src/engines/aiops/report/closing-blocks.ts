import type { Block, Line } from './block.ts';
import { followUps } from './follow-ups.ts';
import type { ReportInput } from './report-input.ts';
import { wordsOf } from './words.ts';

/** What stays of it: lessons, open ends; and, apart from all reasons, what was known before. */
export function closingBlocks(input: ReportInput): Block[] {
  const words = wordsOf(input.language);
  const open = followUps(input);
  return [
    { kind: 'heading', level: 2, text: words.learned },
    ...lessonBlocks(input),
    { kind: 'heading', level: 2, text: words.followUps },
    open.length ? { kind: 'list', items: open } : { kind: 'text', text: words.noFollowUps },
    ...priorBlocks(input),
  ];
}

function lessonBlocks({ incident, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  const { lesson } = incident;
  const kept: (readonly [string, string | undefined])[] = [
    [words.memories, lesson?.memories.join(', ')],
    [words.skill, lesson?.skill],
    [words.workflow, lesson?.workflow],
    [words.knowledge, lesson?.knowledge],
    [words.evalCase, lesson?.evalCase],
    [words.trajectory, lesson?.trajectory],
  ];
  const rows = kept.flatMap(([name, value]): Line[][] => (value ? [[name, value]] : []));
  if (!rows.length) return [{ kind: 'text', text: words.nothingLearned }];
  return [{ kind: 'table', head: [words.what, ''], rows }];
}

function priorBlocks({ incident, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  if (!incident.priors?.length) return [];
  const items = incident.priors.map(
    ({ text, source, ref, checked, fixedBy }): Line => [
      text,
      ' ',
      { code: `${source} ${ref}` },
      ...(checked?.length ? [` – ${words.checkedThen}: ${checked.join(', ')}`] : []),
      ...(fixedBy ? [` – ${words.fixedBy}: ${fixedBy}`] : []),
    ],
  );
  return [
    { kind: 'heading', level: 2, text: words.priors },
    { kind: 'note', text: words.priorsNote },
    { kind: 'list', items },
  ];
}

import type { Spoken } from '#kit/text';
import type { Evidence, Hypothesis } from '#spec/data';
import { CATEGORIES } from '../names.ts';
import { showNumber } from '../rca/show-number.ts';
import type { Block, Line } from './block.ts';
import { chartBlocks } from './chart-blocks.ts';
import type { ReportInput } from './report-input.ts';
import { wordsOf } from './words.ts';

/** The verdict with all that speaks for it and against it, its charts, and the other hypotheses beside it. */
export function causeBlocks(input: ReportInput): Block[] {
  const { incident, language } = input;
  const words = wordsOf(language);
  const { rca } = incident;
  const [first] = rca?.hypotheses ?? [];
  const heading: Block = { kind: 'heading', level: 2, text: words.rootCause };
  if (!rca) return [heading, { kind: 'text', text: words.noRootCause }];
  const verdict: Block[] =
    rca.status === 'concluded' && first
      ? verdictBlocks(first, input)
      : [
          { kind: 'text', text: rca.status === 'no_incident' ? words.noIncident : words.noRootCause },
          ...evidenceTable(words.evidence, rca.evidence, input),
        ];
  const cited = new Set(first ? [...first.supports, ...first.refutes] : []);
  const others = rca.status === 'concluded' ? rca.evidence.filter(({ id }) => !cited.has(id)) : [];
  return [
    heading,
    ...verdict,
    ...chartBlocks(input),
    ...evidenceTable(words.otherEvidence, others, input),
    ...hypothesesBlocks(input),
    ...(rca.missing.length ? [sub(words.missing), { kind: 'list' as const, items: rca.missing }] : []),
    ...(rca.nextQuery ? [sub(words.nextQuery), { kind: 'text' as const, text: rca.nextQuery }] : []),
    ...readingBlocks(input),
    ...explanationBlocks(input),
  ];
}

const sub = (text: string): Block => ({ kind: 'heading', level: 3, text });

function verdictBlocks(first: Spoken<Hypothesis>, input: ReportInput): Block[] {
  const { incident, language } = input;
  const words = wordsOf(language);
  const evidence = incident.rca?.evidence ?? [];
  const named = (ids: readonly string[]): Spoken<Evidence>[] =>
    ids.flatMap((id) => evidence.find((each) => each.id === id) ?? []);
  const rows: Line[][] = [
    [words.category, CATEGORIES[first.category][language]],
    ...(first.service ? [[words.service, { code: first.service }]] : []),
    ...(first.change ? [[words.change, { code: first.change }]] : []),
    [words.confidence, percent(first.confidence)],
    [words.why, first.why],
  ];
  const against = named(first.refutes);
  return [
    { kind: 'table', head: [words.what, ''], rows },
    ...evidenceTable(words.supports, named(first.supports), input),
    ...(against.length
      ? evidenceTable(words.refutes, against, input)
      : [sub(words.refutes), { kind: 'text' as const, text: words.nothingRefutes }]),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Each with its numbers, the exact query and where to look. */
function evidenceTable(
  title: string,
  evidence: readonly Spoken<Evidence>[],
  { language }: ReportInput,
): Block[] {
  if (!evidence.length) return [];
  const words = wordsOf(language);
  const rows = evidence.map(({ id, summary, baseline, during, query, link, source }): Line[] => [
    { code: id },
    summary,
    baseline === undefined && during === undefined ? '' : `${shown(baseline)} → ${shown(during)}`,
    { code: query },
    [source ?? '', ...(link ? [' ', { link, text: words.look }] : [])],
  ]);
  return [
    sub(title),
    {
      kind: 'table',
      head: [words.id, words.evidence, words.numbers, words.query, words.source],
      rows,
    },
  ];
}

const shown = (value: number | undefined): string => (value === undefined ? '–' : showNumber(value));

function hypothesesBlocks({ incident, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  const all = incident.rca?.hypotheses ?? [];
  if (!all.length) return [];
  const rows = all.map(
    ({ category, service, change, confidence, supports, refutes, ...told }, index): Line[] => [
      String(index + 1),
      CATEGORIES[category][language],
      [service, change?.slice(0, 16)].filter(Boolean).join(' · '),
      percent(confidence),
      told.why,
      supports.join(' '),
      refutes.join(' '),
    ],
  );
  const head = [
    '#',
    words.category,
    words.service,
    words.confidence,
    words.why,
    words.supports,
    words.refutes,
  ];
  return [sub(words.hypotheses), { kind: 'table', head, rows, numbers: [0, 3] }];
}

function readingBlocks({ incident: { reading }, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  if (!reading) return [];
  const { said, quote, evidence, query } = reading;
  return [
    sub(words.reader),
    { kind: 'note', text: words.readerNote },
    { kind: 'text', text: quote ? [`${said} `, { code: quote }, ` ${evidence.join(' ')}`] : said },
    ...(query ? [{ kind: 'text' as const, text: query }] : []),
  ];
}

function explanationBlocks({ incident, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  if (!incident.explanation) return [];
  const paragraphs = incident.explanation.split(/\n\s*\n/).filter((paragraph) => paragraph.trim());
  return [
    sub(words.explanation),
    { kind: 'note', text: words.explanationNote },
    ...paragraphs.map((text): Block => ({ kind: 'text', text })),
  ];
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundPassage, type Passage, passageIndex, type Passages } from '#engines/retrieval';
import type { Language } from '#kit/language';
import { packageFolder } from '../package-folder.ts';
import { operatorWords } from './operator-words.ts';

/** A section of the documents that come with Hermes. */
interface Section {
  readonly file: string;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
  /** The page of questions: its answers are short, in both languages, and name the section that says more. */
  readonly howTo: boolean;
}

export type FoundSection = FoundPassage<Section>;

const HOW_TO = 'how-to.md';
/** How much of its words a question shares with what answers it. Measured on questions of our own; see the README. */
const FITS = { howTo: 0.42, section: 0.5 };
const MOST_LINES = 24;
const MOST_SEE_ALSO = 3;

let opened: Promise<{ readonly howTo: Passages<Section>; readonly all: Passages<Section> }> | undefined;

/** Read once, when the first question comes. */
const documents = () => (opened ??= readDocuments());

async function readDocuments() {
  const folder = packageFolder('docs');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md'));
  const sections = await Promise.all(
    names.map(async (name) => sectionsOf(name, await readFile(join(folder, name), 'utf8'))),
  );
  const passages = sections.flat().map(
    (section): Passage<Section> => ({
      lead: `${section.heading} ${section.howTo ? '' : section.file.replace('.md', '')}`,
      text: section.text,
      of: section,
    }),
  );
  return {
    howTo: passageIndex(passages.filter(({ of }) => of.howTo)),
    all: passageIndex(passages.filter(({ of }) => !of.howTo)),
  };
}

function sectionsOf(file: string, text: string): Section[] {
  const howTo = file === HOW_TO;
  let fenced = false;
  const parts: { heading: string; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? undefined : /^#{1,3} +(?<title>.+)$/.exec(line)?.groups?.['title'];
    if (heading) parts.push({ heading, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts
    .map(({ heading, lines }) => ({
      file,
      heading,
      anchor: heading.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, '').replaceAll(' ', '-'),
      text: lines.join('\n').trim(),
      howTo,
    }))
    .filter((section) => section.text !== '');
}

/** What the documents say to a question, if they do. `least` moves the bar. */
export async function documentAnswer(
  said: string,
  language: Language,
  { bare = false }: { readonly bare?: boolean } = {},
): Promise<{ readonly text: string; readonly fit: number } | undefined> {
  const { howTo, all } = await documents();
  const question = said.replace(/^(?:hermes|please|请问?|麻烦)[\s,,]*/i, '');
  const [best] = howTo.search(question, 1);
  const sections = all.search(question, MOST_SEE_ALSO + 1);
  if (best && best.fit >= FITS.howTo) return { text: howToText(best.of, language), fit: best.fit };
  const [section] = sections;
  if (!section || section.fit < FITS.section || (bare && language === 'zh')) return undefined;
  return { text: sectionText(section.of, sections.slice(1), language), fit: section.fit };
}

/** Places that are near to a question, whether or not they answer it. */
export async function nearSections(said: string, least: number): Promise<readonly string[]> {
  const { howTo, all } = await documents();
  const found = [...howTo.search(said, 2), ...all.search(said, MOST_SEE_ALSO)];
  return found.filter(({ fit }) => fit >= least).map(({ of }) => place(of));
}

const place = ({ file, heading }: Section): string => `docs/${file}, “${heading}”`;

/** The half of an entry that is in the language of the question: entries are written English first. */
function howToText({ heading, text, file }: Section, language: Language): string {
  const [english = '', chinese = english] = text.split(/\n(?=中文[::])/);
  const body = (language === 'zh' ? chinese.replace(/^中文[::]\s*/, '') : english).trim();
  const title = heading.split(' / ')[language === 'zh' ? 1 : 0] ?? heading;
  const cited = /docs\/[a-z-]+\.md/.test(body) ? '' : `\n\n${operatorWords(language).from(`docs/${file}`)}`;
  return `**${title.trim()}**\n\n${body}${cited}`;
}

function sectionText(section: Section, others: readonly FoundSection[], language: Language): string {
  const words = operatorWords(language);
  const lines = section.text.split('\n');
  const cut = lines.slice(0, MOST_LINES);
  const open = cut.filter((line) => line.startsWith('```')).length % 2 === 1;
  const near = others.filter(({ fit }) => fit >= FITS.section * 0.8).map(({ of }) => `- ${place(of)}`);
  return [
    `${words.from(place(section))}:`,
    '',
    ...cut,
    ...(open ? ['```'] : []),
    ...(lines.length > MOST_LINES ? ['…'] : []),
    ...(near.length ? ['', words.otherPlaces, ...near] : []),
  ].join('\n');
}

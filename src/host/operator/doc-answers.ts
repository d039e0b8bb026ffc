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

type FoundSection = FoundPassage<Section>;

const HOW_TO = 'how-to.md';
/** How much of its words a question shares with what answers it. Set by eye on some sixty sentences; see docs/skills.md. */
const FITS = { howTo: 0.38, sureHowTo: 0.6, section: 0.5 };
/** A second entry with this share of the score of the first may be the one that is meant. */
const RIVAL = 0.8;
/** Lists of what there is, and why it is built so: neither answers how something is done. */
const NO_ANSWERS = new Set(['builtin-skills.md', 'architecture.md', 'testkit.md']);
const MOST_LINES = 24;
const MOST_SEE_ALSO = 3;
const MOST_LOOKED = 12;

let opened: Promise<{ readonly howTo: Passages<Section>; readonly all: Passages<Section> }> | undefined;

const COMMENT = /<!--[\s\S]*?-->\n?/g;
/** Other words for the same question, which readers do not see. */
const alsoIn = (text: string): string =>
  (text.match(COMMENT) ?? []).join(' ').replaceAll(/<!--|-->|also:/g, ' ');

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
      lead: plain(
        `${section.heading} ${section.howTo ? alsoIn(section.text) : section.file.replace('.md', '')}`,
      ),
      text: section.text.replace(COMMENT, ''),
      of: section,
    }),
  );
  return {
    howTo: passageIndex(passages.filter(({ of }) => of.howTo)),
    all: passageIndex(passages.filter(({ of }) => !of.howTo && !NO_ANSWERS.has(of.file))),
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
      anchor: heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
      text: lines.join('\n').trim(),
      howTo,
    }))
    .filter((section) => section.text !== '');
}

/** The short answer to a question about Hermes, if there is one, and whether it can hardly be meant otherwise. */
export async function howToAnswer(
  said: string,
  language: Language,
): Promise<{ readonly text: string; readonly sure: boolean } | undefined> {
  const { howTo } = await documents();
  const [best, second] = howTo.search(plain(said), 2);
  if (!best || best.fit < FITS.howTo) return undefined;
  const sure = best.fit >= FITS.sureHowTo;
  const first = howToText(best.of, language);
  // Another one answers as much of it: whoever asked sees both, rather than perhaps the wrong one.
  const rival =
    second !== undefined &&
    second.score >= best.score * RIVAL &&
    second.inLead >= best.inLead &&
    !(sure && second.fit < FITS.sureHowTo);
  if (!rival) return { text: first, sure };
  const text = [operatorWords(language).twoNear, first, howToText(second.of, language)].join('\n\n');
  return { text, sure };
}

/** The section that says what was asked, if there is one. Its heading has to speak of it, not only some line. */
export async function sectionAnswer(said: string, language: Language): Promise<string | undefined> {
  const { all } = await documents();
  const found = all
    .search(plain(said), MOST_LOOKED)
    .filter(
      ({ fit, inLead, shared, of }) =>
        fit >= FITS.section && inLead > 0 && (shared > 1 || !/\s/.test(of.heading)),
    );
  const [section, ...others] = found;
  return section && sectionText(section.of, others.slice(0, MOST_SEE_ALSO), language);
}

/** The frame of a question says nothing; in Chinese it would also make pairs with the words beside it. */
const plain = (said: string): string =>
  said.replaceAll(
    /^(?:hermes|please)[\s,,]+|怎么样?|如何|怎样|哪里|在哪|什么|哪些|哪个|能不能|可不可以|可以|是否|有没有|请问?|麻烦|一下|我们?|你们?|[吗呢的了吧么]/gi,
    ' ',
  );

/** Places that are near to a question, whether or not they answer it. */
export async function nearSections(said: string, least: number): Promise<readonly string[]> {
  const { howTo, all } = await documents();
  const found = [...howTo.search(plain(said), 2), ...all.search(plain(said), MOST_SEE_ALSO)];
  return found
    .filter(({ fit, inLead, shared }) => fit >= least && inLead > 0 && shared > 1)
    .map(({ of }) => place(of));
}

const place = ({ file, heading }: Section): string => `docs/${file}, “${heading}”`;

/** The half of an entry that is in the language of the question: entries are written English first. */
function howToText({ heading, text, file }: Section, language: Language): string {
  const [english = '', chinese = english] = text.replace(COMMENT, '').split(/\n(?=中文[::])/);
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

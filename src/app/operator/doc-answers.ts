import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorPlan } from '#spec/ports';
import { type FoundPassage, type Passage, passageIndex, type Passages } from '#engines/retrieval';
import { type Language, LANGUAGES } from '#kit/language';
import type { OperatorHome } from './operator-home.ts';
import { operatorWords } from './operator-words.ts';

/** A section of the documents that come with Hermes. */
interface Section {
  readonly file: string;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
  /** Of an entry of the pages of questions and terms. */
  readonly id?: string;
}

type FoundSection = FoundPassage<Section>;

/** Pages of entries: their answers are short, in both languages, and name the section that says more. */
const PAGES = { howto: 'how-to.md', term: 'terms.md' } as const;
/** What a section has to share with a message to answer it, and to be named at all. */
const FITS = { section: 0.5, near: 0.34 };
/** Lists of what there is, and why it is built so: neither answers how something is done. */
const NO_ANSWERS = new Set(['builtin-skills.md', 'architecture.md', 'testkit.md']);
const MOST_LINES = 24;
const MOST_SEE_ALSO = 3;
const MOST_LOOKED = 12;

let opened: Promise<{ readonly entries: readonly Section[]; readonly all: Passages<Section> }> | undefined;

const ID = /<!-- id: (?<id>[\w-]+) -->\n?/;

/** Read once, when the first question comes. */
const documents = ({ own }: Needs) => (opened ??= readDocuments(own.shipped('docs')));

type Needs = Pick<OperatorHome, 'own'>;

async function readDocuments(folder: string) {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md'));
  const sections = await Promise.all(
    names.map(async (name) => sectionsOf(name, await readFile(join(folder, name), 'utf8'))),
  );
  const [entries, others] = [sections.flat().filter(({ id }) => id), sections.flat().filter(({ id }) => !id)];
  const passages = others
    .filter(({ file }) => !NO_ANSWERS.has(file))
    .map((section): Passage<Section> => {
      const lead = plain(`${section.heading} ${section.file.replace('.md', '')}`);
      return { lead, text: section.text, of: section };
    });
  return { entries, all: passageIndex(passages) };
}

function sectionsOf(file: string, text: string): Section[] {
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
      text: lines.join('\n').replace(ID, '').trim(),
      ...withId(ID.exec(lines.join('\n'))?.groups?.['id']),
    }))
    .filter((section) => section.text !== '');
}

/** The entry of the page of questions, or of the page of terms, that has this id. */
export async function writtenAnswer(
  home: Needs,
  kind: 'howto' | 'term',
  id: string,
  language: Language,
  /** Whether it is surely the entry that was asked for; the yes of another question is none to this one. */
  sure: boolean,
): Promise<OperatorPlan | undefined> {
  const found = await entryOf(home, kind, id);
  return found && { before: entryText(found, language, sure) };
}

/** The question of an entry. */
export async function writtenTitle(
  home: Needs,
  kind: 'howto' | 'term',
  id: string,
  language: Language,
): Promise<string | undefined> {
  const found = await entryOf(home, kind, id);
  return found && headingIn(found.heading, language);
}

async function entryOf(home: Needs, kind: 'howto' | 'term', id: string): Promise<Section | undefined> {
  const { entries } = await documents(home);
  return entries.find(({ id: own, file }) => own === id && file === PAGES[kind]);
}

const headingIn = (heading: string, language: Language): string =>
  (heading.split(' / ')[LANGUAGES.indexOf(language)] ?? heading).trim();

const withId = (id: string | undefined) => (id === undefined ? {} : { id });

/** The section that says what was asked, if there is one. Its heading has to speak of it, not only some line. */
export async function sectionAnswer(
  home: Needs,
  said: string,
  language: Language,
): Promise<string | undefined> {
  const { all } = await documents(home);
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
export async function nearSections(home: Needs, said: string): Promise<readonly string[]> {
  const { all } = await documents(home);
  return all
    .search(plain(said), MOST_SEE_ALSO)
    .filter(({ fit, inLead, shared }) => fit >= FITS.near && inLead > 0 && shared > 1)
    .map(({ of }) => place(of));
}

const place = ({ file, heading }: Section): string => `docs/${file}, “${heading}”`;

/** The yes that an entry begins with, and the letter behind it. */
const YES = /^(?:yes|可以|能|支持|会|有)[:：,，.。]\s*(?<letter>\S)/iu;

/** The half of an entry that is in the language of the question: entries are written English first. */
function entryText({ heading, text, file }: Section, language: Language, sure: boolean): string {
  const [english = '', chinese = english] = text.split(/\n(?=中文[::])/);
  const whole = { en: english, zh: chinese.replace(/^中文[::]\s*/, '') }[language].trim();
  const body = sure ? whole : whole.replace(YES, (_yes, letter: string) => letter.toUpperCase());
  const cited = /docs\/[a-z-]+\.md/.test(body) ? '' : `\n\n${operatorWords(language).from(`docs/${file}`)}`;
  return `**${headingIn(heading, language)}**\n\n${body}${cited}`;
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

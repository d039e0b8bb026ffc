import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FoundTopic,
  type Phrasing,
  type Thesaurus,
  thesaurus,
  type TopicIndex,
  topicIndex,
} from '#engines/retrieval';
import type { Skill } from '#spec/data';
import type { OperatorHome } from './operator-home.ts';
import { shelfOf } from './skill-answers.ts';
import { withoutNames } from './slots.ts';

/** What kind of answer a topic has; see phrases/README.md. */
type TopicKind = 'howto' | 'term' | 'reading' | 'skill' | 'ask' | 'deed' | 'none';

export interface Meaning {
  readonly kind: TopicKind;
  readonly id: string;
  /** How surely it is meant; see `SURE` and `FLOOR`. */
  readonly score: number;
}

const HEADING = /^# (?<kind>\w+) (?<id>\S+)$/;

/** Phrasings of a file: a heading names the topic of the lines below it. */
export function readPhrasings(text: string): Phrasing[] {
  let topic = '';
  return text.split('\n').flatMap((line) => {
    const { kind, id } = HEADING.exec(line)?.groups ?? {};
    if (kind && id) topic = `${kind} ${id}`;
    return line.trim() === '' || line.startsWith('#') || topic === '' ? [] : [{ topic, text: line }];
  });
}

interface Shipped {
  readonly phrasings: readonly Phrasing[];
  readonly words: Thesaurus;
}

/** Words that mean the same; every other file holds phrasings. */
const WORDS = 'words.txt';

let shipped: Promise<Shipped> | undefined;

/** Read once, when the first message comes. */
const shippedPhrasings = (folder: string) => (shipped ??= readShipped(folder));

async function readShipped(folder: string): Promise<Shipped> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt') && name !== WORDS);
  const texts = await Promise.all(names.map(read));
  const phrasings = texts.flatMap(readPhrasings);
  return {
    phrasings: phrasings.map(({ topic, text }) => ({ topic, text: withoutNames(text) })),
    words: thesaurus((await read(WORDS)).split('\n')),
  };
}

let built: { readonly of: string; readonly index: TopicIndex } | undefined;

/** The topics of this home: those that come with Hermes, and a topic for each skill that somebody added. */
export async function openTopics(home: OperatorHome): Promise<TopicIndex> {
  const { phrasings, words } = await shippedPhrasings(home.own.shipped('phrases'));
  const known = new Set(phrasings.map(({ topic }) => topic));
  const shelf = await shelfOf(home);
  const added = ((await shelf?.library.all()) ?? []).filter(({ name }) => !known.has(`skill ${name}`));
  const of = added.map(({ name, description }) => `${name}\n${description}`).join('\n');
  if (built?.of !== of)
    built = { of, index: topicIndex([...phrasings, ...added.flatMap(phrasingsOf)], words) };
  return built.index;
}

/** What a skill says of itself, a sentence or a keyword each. */
const phrasingsOf = ({ name, description, triggers }: Skill): Phrasing[] =>
  [name.replaceAll(/[-_]/g, ' '), ...description.split(/[.;:：。；]\s*/), ...triggers.keywords]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ topic: `skill ${name}`, text: withoutNames(text) }));

export const meaningOf = ({ topic, score }: FoundTopic): Meaning => {
  const [kind = '', id = ''] = topic.split(' ');
  return { kind: kind as TopicKind, id, score };
};

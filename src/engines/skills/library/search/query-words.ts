import { cutTerms, isStopTerm } from '#engines/retrieval';
import type { SkillIndex } from './skill-index.ts';

/** A word of a query and what it tells. */
export interface QueryWord {
  readonly term: string;
  readonly idf: number;
  /** No word of the query itself, but probably another form of one. */
  readonly relative: boolean;
}

/** How requests are worded, whatever they are about. */
const WORDING = new Set(
  cutTerms(`user want need ask require say like use using used help work working task skill similar
explicitly`),
);
/** What is said without asking for anything. */
const SMALL_TALK = new Set([
  ...cutTerms(`hello hi hey thanks thank ok okay yes yeah yep no nope sure fine great good nice cool awesome wow well lot
bye morning evening continue go ahead next stop done joke sorry right true correct wait really much`),
  ...'你好 您好 谢谢 多谢 好的 好吧 继续 再见 早上 上好 晚上 下一 一步 可以 没事 不用 对的 是的 辛苦 苦了'.split(
    ' ',
  ),
]);
const CONNECTED = /[-_./:@]/;
const RELATIVE_SHARE = 0.35;
const MOST_RELATIVES = 8;
const MOST_CHARS = 4_000;
const MOST_WORDS = 64;

/** Whether a message has no word that could name something to do. */
export const saysNothing = (text: string): boolean =>
  cutTerms(text.slice(0, MOST_CHARS)).every(
    (term) => isStopTerm(term) || WORDING.has(term) || SMALL_TALK.has(term),
  );

/** The words of a query that tell something, and words of the library that are near to them. */
export function queryWords(text: string, index: SkillIndex): readonly QueryWord[] {
  const all = [...new Set(cutTerms(text.slice(0, MOST_CHARS)))].filter((term) => !isStopTerm(term));
  const content = all.filter((term) => !WORDING.has(term));
  const words = (content.length > 0 ? content : all).flatMap((term): QueryWord[] => {
    const count = index.posting(term)?.live ?? 0;
    // A name such as `avatar/lipsync` that no skill has: its parts say all that can be said.
    if (count === 0 && CONNECTED.test(term)) return [];
    return [{ term, idf: idfOf(count, index.live.skills), relative: false }];
  });
  const told = words.sort((a, b) => b.idf - a.idf).slice(0, MOST_WORDS);
  return [...told, ...relativesOf(told, index)];
}

function relativesOf(words: readonly QueryWord[], index: SkillIndex): QueryWord[] {
  const seen = new Set(words.map(({ term }) => term));
  return words.flatMap(({ term, idf }) =>
    index
      .relatives(term)
      .filter((other) => !seen.has(other) && (index.posting(other)?.live ?? 0) > 0)
      .slice(0, MOST_RELATIVES)
      .map((other): QueryWord => {
        seen.add(other);
        const own = idfOf(index.posting(other)?.live ?? 0, index.live.skills);
        return { term: other, idf: RELATIVE_SHARE * Math.min(own, idf), relative: true };
      }),
  );
}

/** What a term tells: the fewer skills have it, the more. */
export const idfOf = (count: number, skills: number): number =>
  Math.log(1 + (skills - count + 0.5) / (count + 0.5));

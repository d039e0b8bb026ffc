import type { TopicIndex } from '#engines/retrieval';
import { asks, asksHow, asksMeaning, orders } from './mood.ts';
import { NEARLY_SURE, UNSURE } from './sureness.ts';
import { type Meaning, meaningOf } from './topics.ts';

/** One of the things that a message asks for, and the part of it that does. */
export interface Wish {
  readonly meaning: Meaning;
  readonly said: string;
}

/** Between things that are asked for side by side. */
const SIDE_BY_SIDE =
  /[,，、。;；!！?？\n&+]+|\.\s+|\s+(?:and(?: then)?|plus|also|then|after that)\s+|顺便|以及|还有|另外|然后|接着|再(?=看|查|把|说|告|列|给|贴|讲|帮)|和|与|跟|及/i;
const MOST_WISHES = 3;

/** What the parts of a message ask for one by one: readings, and pages and questions that are nearly sure. */
export function wishesIn(
  said: string,
  /** What `it` would stand for. */
  it: string | undefined,
  rank: (part: string) => readonly Meaning[],
): readonly Wish[] {
  const wishes = said.split(SIDE_BY_SIDE).flatMap((bare, at): Wish[] => {
    const part = at > 0 && it !== undefined ? bare.replace(/它的?|\bits\b/i, ` ${it} `) : bare;
    const [meaning] = part.trim() === '' ? [] : rank(part);
    return meaning && isWish(meaning, part) ? [{ meaning, said: part }] : [];
  });
  // Where nothing is read, each part has to ask or order: people also tell why they ask.
  const each = wishes.some(({ meaning }) => meaning.kind === 'reading')
    ? wishes
    : wishes.filter((wish) => asks(wish.said) || orders(wish.said));
  return distinct(each).slice(0, MOST_WISHES);
}

/** What is asked or ordered is a wish sooner than what is only said. */
const ORDERED = 0.24;

const isWish = ({ kind, id, score }: Meaning, part: string): boolean =>
  kind === 'reading'
    ? score >= UNSURE
    : (kind === 'howto' || kind === 'ask') &&
      id !== 'help' &&
      score >= (asksHow(part) || orders(part) ? ORDERED : NEARLY_SURE);

const distinct = (wishes: readonly Wish[]): Wish[] =>
  wishes.filter(({ meaning }, at) => wishes.findIndex((one) => one.meaning.id === meaning.id) === at);

/** What is said around the words of which somebody wants to know what they mean. */
const FRAME_EN =
  /\b(?:what(?:'s| is| are| does| do)?|whats|whose|which is which|which|the|an?|differences?|diff|differ|between|compared? to|compare|mean(?:s|ing)?(?: of)?|explain|define|definitions? of|tell me|about|please|here|each|both|hermes|you|your|by|exactly|versus|vs)\b|[?.]/gi;
const FRAME_ZH =
  /(?:分别|各自|各|都|到底|究竟)*(?:是什么意思|是啥意思|是什么|是啥|指的?是?什么|什么意思|啥意思)|(?:之间)?(?:的|有)*(?:什么|啥|何)?(?:区别|不同|差别|不一样)(?:是什么|在哪里?|吗|呢|的)?|(?:到底)?差在哪里?儿?|怎么区分|什么是|啥是|(?:请|帮我)?解释一?下|在(?:你|这)(?:儿|里|这儿)?|这(?:几|两|三)个(?:词|概念)?|[?？。]|是$/g;
const APART = /[,，、/;；]|\s+(?:and|or|vs\.?|versus|from)\s+|和|与|跟|以及|还有/i;
/** What is looked up is a word or two. */
const MOST_TERM = { words: 4, characters: 14 };

/** Several words that one question wants explained: each is looked up by itself. One wish: all of them have the same page. */
export function termsIn(said: string, search: TopicIndex['search']): readonly Wish[] {
  if (!asksMeaning(said) || /\bwhat (?:does|do|did)\b(?!.*\bmean)/i.test(said)) return [];
  const parts = said
    .replaceAll(/(?<=\s)\/(?=[a-z])/g, ' ')
    .split(APART)
    .map((part) => part.replaceAll(FRAME_EN, ' ').replaceAll(FRAME_ZH, ' ').replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
  if (parts.length < 2 || parts.some((part) => !isTerm(part))) return [];
  const wishes = parts.flatMap((part): Wish[] => {
    const [meaning] = search(`what is ${part}?`)
      .map(meaningOf)
      .filter(({ kind }) => kind === 'term' || kind === 'howto');
    const least = meaning?.kind === 'term' ? UNSURE : NEARLY_SURE;
    return meaning && meaning.score >= least ? [{ meaning, said: part }] : [];
  });
  return wishes.length === parts.length ? distinct(wishes).slice(0, MOST_WISHES) : [];
}

const isTerm = (part: string): boolean =>
  part.split(' ').length <= MOST_TERM.words &&
  part.length <= (/\p{Script=Han}/u.test(part) ? MOST_TERM.characters : 40);

import type { Skill } from '#spec/data';

/** Systems that have runbooks of their own, by each of their names: what helps with one says nothing about another. */
const TECHNOLOGIES: readonly RegExp[] = [
  /\bkafka\b/i,
  /\brabbit ?mq\b/i,
  /\brocket ?mq\b/i,
  /\bpulsar\b/i,
  /\bnats\b/i,
  /\bsqs\b/i,
  /\bcelery\b/i,
  /\bsidekiq\b/i,
  /\bredis\b/i,
  /\bmemcached?\b/i,
  /\bpostgres(?:ql)?\b|\bpg(?:bouncer)?\b/i,
  /\bmysql\b|\bmariadb\b|\binnodb\b/i,
  /\bmongo(?:db)?\b/i,
  /\belastic ?search\b|\bopensearch\b/i,
  /\bclickhouse\b/i,
  /\bcassandra\b/i,
  /\betcd\b/i,
  /\bkyverno\b/i,
  /\bargo ?cd\b/i,
];

const technologiesIn = (text: string): RegExp[] => TECHNOLOGIES.filter((name) => name.test(text));

/** Whether a runbook can be about what a message names: of no technology, or of the one that is named. */
export function fitsTechnology({ tags, triggers, description }: Skill, said: string): boolean {
  const named = technologiesIn(said);
  const own = [...tags, ...triggers.keywords].join(' ');
  if (named.length === 0 || technologiesIn(own).length === 0) return true;
  return named.some((name) => name.test(`${own} ${description}`));
}

/** Tags that say what a runbook is, and not what it is about. */
const KINDS = new Set(['incident', 'security', 'kubernetes']);
/** A shorter word begins too many others. */
const LEAST_BEGINNING = 4;

/** Whether a message names a symptom or a thing that a runbook says it is for, in any order of its words. */
export function namesItsSymptom({ tags, triggers }: Skill, said: string): boolean {
  const text = said.normalize('NFKC').toLowerCase();
  const words = text.match(/[a-z0-9][a-z0-9_]*/g) ?? [];
  const has = (word: string): boolean =>
    /\p{Script=Han}/u.test(word) ? text.includes(word) : words.some((one) => isSameWord(one, word));
  return [...tags.filter((tag) => !KINDS.has(tag)), ...triggers.keywords].some((phrase) => {
    const parts = phrase.toLowerCase().match(/\p{Script=Han}+|[a-z0-9][a-z0-9_]*/gu) ?? [];
    return parts.length > 0 && parts.every(has);
  });
}

/** `certs` and `certificate`, `times` and `time`. */
const isSameWord = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= LEAST_BEGINNING && (one.startsWith(other) || other.startsWith(one)));

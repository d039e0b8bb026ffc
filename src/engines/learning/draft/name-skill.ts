import { cutTerms, isStopTerm } from '#engines/retrieval';
import { isName } from '../experience/tokens-of.ts';

/** Words that say how somebody asks rather than for what. */
const MANNER = new Set(
  'hi hey hello please pls thanks thank kindly help need want give make go again like really seems still'.split(
    ' ',
  ),
);

/** Words of tasks that tell something: no names of single things, nothing that only holds a sentence together. */
export function tellingWords(task: string): string[] {
  const words = task.toLowerCase().match(/[\p{L}\p{N}_.'’-]+/gu) ?? [];
  return words
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter(
      (word) =>
        word.length > 1 &&
        !MANNER.has(word) &&
        !cutTerms(word).every(isStopTerm) &&
        !isName(word) &&
        !word.includes('’'),
    );
}

const MOST_WORDS = 4;
const LONGEST = 48;

/**
 * A short name for a kind of task that no other skill has: words that most of the tasks share, in their order, else
 * what the calls are named.
 */
export function nameSkill(
  tasks: readonly string[],
  tools: readonly string[],
  taken: (name: string) => boolean,
  weight: (word: string) => number,
): string {
  const counts = new Map<string, number>();
  for (const task of tasks)
    for (const word of new Set(tellingWords(task))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const shared = [...counts]
    .filter(([word, count]) => count * 2 > tasks.length && /^[a-z0-9]+$/.test(word))
    .map(([word]) => word);
  const telling = new Set(shared.toSorted((a, b) => weight(b) - weight(a)).slice(0, MOST_WORDS));
  const fromTools = tools.flatMap((tool) => tool.toLowerCase().split(/[^a-z0-9]+/)).filter(Boolean);
  const words =
    shared.length >= 2 ? shared.filter((word) => telling.has(word)) : [...new Set([...shared, ...fromTools])];
  const base = words.slice(0, MOST_WORDS).join('-').slice(0, LONGEST).replace(/-+$/, '') || 'learned-task';
  if (!taken(base)) return base;
  let number = 2;
  while (taken(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

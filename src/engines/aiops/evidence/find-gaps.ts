import { type Text, uniqueTexts } from '#kit/text';
import type { Answer } from './ask-source.ts';
import type { AskedKind } from './asked-record.ts';
import { gapWords, KINDS } from './gap-words.ts';

/** Without them a diagnosis is a guess: their absence is said. */
const EXPECTED: readonly AskedKind[] = ['metrics', 'logs', 'traces', 'changes'];
/** No changes is an answer. */
const MAY_BE_EMPTY: ReadonlySet<AskedKind> = new Set(['changes', 'topology']);

/** What could not be looked at, once each, in words for people. */
export function findGaps(
  answers: readonly Answer<unknown>[],
  cut: Partial<Readonly<Record<AskedKind, boolean>>>,
): Text[] {
  const absent = EXPECTED.filter((kind) => !answers.some((answer) => answer.kind === kind)).map((kind) =>
    gapWords.noBackend(KINDS[kind]),
  );
  const failed = answers.flatMap(({ source, kind, problem, asked }) => {
    const problems = problem === undefined ? asked.flatMap((query) => query.problem ?? []) : [problem];
    return problems.map((text) => gapWords.failed(KINDS[kind], source, text));
  });
  const sources = Map.groupBy(answers, ({ source, kind }) => `${kind}: ${source}`);
  const empty = [...sources.values()]
    .filter((own) => own.every(({ items, problem }) => !items.length && problem === undefined))
    .flatMap(([first]) => (first && !MAY_BE_EMPTY.has(first.kind) ? [first] : []))
    .map(({ kind, source }) => gapWords.knowsNothing(KINDS[kind], source));
  const more = EXPECTED.filter((kind) => cut[kind]).map((kind) => gapWords.cut(KINDS[kind]));
  return uniqueTexts([...absent, ...failed, ...empty, ...more]);
}

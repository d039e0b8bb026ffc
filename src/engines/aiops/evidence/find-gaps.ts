import type { Answer } from './ask-source.ts';
import type { AskedKind } from './asked-record.ts';

/** Without them a diagnosis is a guess: their absence is said. */
const EXPECTED: readonly AskedKind[] = ['metrics', 'logs', 'traces', 'changes'];
/** No changes is an answer. */
const MAY_BE_EMPTY: ReadonlySet<AskedKind> = new Set(['changes', 'topology']);

/** What could not be looked at, once each, in words for people. */
export function findGaps(
  answers: readonly Answer<unknown>[],
  cut: Partial<Readonly<Record<AskedKind, boolean>>>,
): string[] {
  const absent = EXPECTED.filter((kind) => !answers.some((answer) => answer.kind === kind)).map(
    (kind) => `${kind}: no backend is set up`,
  );
  const failed = answers.flatMap(({ source, kind, problem, asked }) => {
    const problems = problem === undefined ? asked.flatMap((query) => query.problem ?? []) : [problem];
    return problems.map((text) => `${kind}: ${source}: ${text}`);
  });
  const sources = Map.groupBy(answers, ({ source, kind }) => `${kind}: ${source}`);
  const empty = [...sources]
    .filter(([, own]) => own.every(({ items, problem }) => !items.length && problem === undefined))
    .filter(([, [first]]) => first && !MAY_BE_EMPTY.has(first.kind))
    .map(([name]) => `${name}: knows nothing about these times and services`);
  const more = EXPECTED.filter((kind) => cut[kind]).map(
    (kind) => `${kind}: there are more than may be taken in; some are left out`,
  );
  return [...new Set([...absent, ...failed, ...empty, ...more])];
}

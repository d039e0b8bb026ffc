import type { SuiteRun } from './run-suite.ts';
import { scoreAnswers } from './score.ts';
import type { Suite } from './suite.ts';

/**
 * A few lines about a suite. Thresholds were chosen while only labels of cases with an even number were read, so the halves
 * are told apart; confidence is compared with how often it was right.
 */
export function describeSuite({ name, cases, truth }: Suite, { answers }: SuiteRun): string[] {
  if (!truth) return [`${name}: ${cases.size} cases without labels`];
  const half = (odd: number): string => {
    const part = new Map([...truth].filter(([id]) => Number(/\d+$/.exec(id)?.[0] ?? 0) % 2 === odd));
    const { hits, cases: all } = scoreAnswers(answers, part);
    return `${hits} of ${all}`;
  };
  return [`${name}: even ids ${half(0)} right, odd ids ${half(1)}; ${confidenceLine(answers, truth)}`];
}

function confidenceLine(answers: SuiteRun['answers'], truth: ReadonlyMap<string, string>): string {
  const told = [...answers].map(([id, { ranked, confidence }]) => ({
    confidence,
    right: (ranked[0] ?? 'none') === truth.get(id),
  }));
  const mean = (values: readonly number[]): string =>
    (values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)).toFixed(2);
  const brier = mean(told.map(({ confidence, right }) => (confidence - Number(right)) ** 2));
  return `mean confidence ${mean(told.map(({ confidence }) => confidence))}, Brier score ${brier}`;
}

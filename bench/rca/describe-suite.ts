import type { SuiteRun } from './run-suite.ts';
import type { Suite } from './suite.ts';

/** A line about a suite: confidence beside how often it was right. */
export const describeSuite = ({ name, cases, truth }: Suite, { answers }: SuiteRun): string =>
  truth ? `${name}: ${confidenceLine(answers, truth)}` : `${name}: ${cases.size} cases without labels`;

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

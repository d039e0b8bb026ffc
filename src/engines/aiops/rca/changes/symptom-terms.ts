import type { IncidentBundle, SpanRecord } from '#spec/data';
import { cutTerms, isStopTerm } from '#engines/retrieval';
import { HALF } from '../finding.ts';
import type { LogPattern } from '../logs/log-bursts.ts';
import { statedPatterns } from '../logs/stated-patterns.ts';

/** Numbers and versions: what ran when it happened is no symptom. */
const NUMBERS_ONLY = /^v?[\d.,:%-]+$/;

export interface Symptoms {
  readonly bundle: IncidentBundle;
  readonly patterns: readonly LogPattern[];
  /** Names of metrics that changed, and of all. */
  readonly moved: readonly string[];
  readonly metrics: readonly string[];
  readonly failedSpans: readonly SpanRecord[];
  readonly services: readonly string[];
}

/**
 * The words of the symptoms, each with the weight of the strongest place where it stands. Words that are as common where
 * nothing is wrong, such as those of measuring, weigh as much less. Where a service is named says where to look, and that
 * is asked apart.
 */
export function symptomTerms(symptoms: Symptoms): Map<string, number> {
  const { patterns, moved, metrics, services } = symptoms;
  const weights = new Map<string, number>();
  const told = new Map<string, number>();
  for (const [text, weight] of new Map(symptomTexts(symptoms)))
    for (const term of new Set(cutTerms(text))) {
      weights.set(term, Math.max(weights.get(term) ?? 0, weight));
      told.set(term, (told.get(term) ?? 0) + 1);
    }
  const changed = new Set(moved);
  const everyday = new Map<string, number>();
  for (const text of [
    ...new Set(metrics.filter((metric) => !changed.has(metric))),
    ...patterns.filter((pattern) => !isSymptom(pattern)).map(({ sample }) => sample),
  ])
    for (const term of new Set(cutTerms(text))) everyday.set(term, (everyday.get(term) ?? 0) + 1);
  const names = new Set(services.flatMap((service) => cutTerms(service)));
  return new Map(
    [...weights]
      .filter(
        ([term]) => term.length > 1 && !names.has(term) && !isStopTerm(term) && !NUMBERS_ONLY.test(term),
      )
      .map(([term, weight]) => {
        const here = told.get(term) ?? 0;
        return [term, (weight * here) / (here + (everyday.get(term) ?? 0))];
      }),
  );
}

const isSymptom = ({ bad, counts, expected }: LogPattern): boolean => bad && counts.during > expected;

/** What an error says names its cause more often than what a metric or an alert is called. */
function* symptomTexts({
  bundle,
  patterns,
  moved,
  failedSpans,
}: Symptoms): Generator<readonly [text: string, weight: number]> {
  yield [bundle.title, HALF];
  for (const [name, text] of Object.entries(bundle.annotations))
    if (name !== 'log_patterns') yield [text, HALF];
  for (const { bad, change, template } of statedPatterns(bundle)) if (bad && change > 0) yield [template, 1];
  for (const pattern of patterns) if (isSymptom(pattern)) yield [pattern.sample, 1];
  for (const metric of new Set(moved)) yield [metric, HALF];
  for (const { operation, attributes } of failedSpans) {
    yield [operation, HALF];
    for (const value of Object.values(attributes ?? {})) if (typeof value === 'string') yield [value, HALF];
  }
}

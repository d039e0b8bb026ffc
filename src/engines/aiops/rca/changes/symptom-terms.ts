import type { IncidentBundle, SpanRecord } from '#spec/data';
import { cutTerms, isStopTerm } from '#engines/retrieval';
import type { LogPattern } from '../logs/log-bursts.ts';
import { statedPatterns } from '../logs/stated-patterns.ts';
import { withKin } from './concepts.ts';

/** What an error says names its cause more often than what an alert is called. */
const WEIGHT = { complaint: 1, metric: 0.8, alert: 0.7, span: 0.6 } as const;
/** Where a service is named says where to look, and that is asked apart. */
const NAME_SHARE = 0.3;
/** Words of measuring and of every program. */
const HOLLOW: ReadonlySet<string> = new Set(
  cutTerms(
    'second millisecond minute hour time ms return returned code value service request response http error failed',
  ),
);
/** Numbers and versions: what ran when it happened is no symptom. */
const NUMBERS_ONLY = /^v?[\d.,:%-]+$/;

export interface Symptoms {
  readonly bundle: IncidentBundle;
  readonly patterns: readonly LogPattern[];
  /** Names of metrics that changed. */
  readonly metrics: readonly string[];
  readonly failedSpans: readonly SpanRecord[];
  readonly services: readonly string[];
}

/** The words of the symptoms, each with the weight of the strongest place where it stands. */
export function symptomTerms({
  bundle,
  patterns,
  metrics,
  failedSpans,
  services,
}: Symptoms): Map<string, number> {
  const weights = new Map<string, number>();
  const names = new Set(services.flatMap((service) => cutTerms(service)));
  const add = (text: string, weight: number): void => {
    for (const term of cutTerms(text)) {
      if (isStopTerm(term) || HOLLOW.has(term) || NUMBERS_ONLY.test(term) || term.length < 2) continue;
      weights.set(term, Math.max(weights.get(term) ?? 0, weight * (names.has(term) ? NAME_SHARE : 1)));
    }
  };
  add(bundle.title, WEIGHT.alert);
  for (const [name, text] of Object.entries(bundle.annotations)) {
    if (name !== 'log_patterns') add(text, WEIGHT.alert);
  }
  for (const { bad, change, template } of statedPatterns(bundle)) {
    if (bad && change > 0) add(template, WEIGHT.complaint);
  }
  for (const { bad, counts, expected, sample } of patterns) {
    if (bad && counts.during > expected) add(sample.slice(0, 400), WEIGHT.complaint);
  }
  for (const metric of metrics) add(metric, WEIGHT.metric);
  for (const { operation, attributes } of failedSpans) {
    add(operation, WEIGHT.span);
    for (const value of Object.values(attributes ?? {}))
      if (typeof value === 'string') add(value, WEIGHT.span);
  }
  return withKin(weights);
}

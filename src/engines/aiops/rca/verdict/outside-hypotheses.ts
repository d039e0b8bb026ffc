import type { Hypothesis } from '#spec/data';
import { soft } from '../finding.ts';
import type { Observations } from '../observe.ts';
import { incidentWindow } from '../windows.ts';
import { says, symptomsName } from '../words.ts';
import type { EvidenceBook } from './evidence-book.ts';
import type { OutsideCause } from './outside-causes.ts';

/** Twice the traffic is half of what a surge can say. */
const HALF_SURGE = Math.log(2);
const SURGE_WEIGHT = 0.8;

export function outsideHypotheses(
  causes: readonly OutsideCause[],
  seen: Observations,
  book: EvidenceBook,
): Hypothesis[] {
  return causes.map(({ category, service, text, strength }) => ({
    category,
    ...(service === undefined ? {} : { service }),
    confidence: strength,
    supports: [
      book.cite(
        {
          kind: 'log',
          ...(service === undefined ? {} : { service }),
          summary: says(service, text),
          query: `logs${service === undefined ? '' : `{service="${service}"}`} |= "${text.slice(0, 80)}"`,
          window: incidentWindow(seen.windows),
        },
        strength,
      ),
    ],
    refutes: [],
    why: symptomsName(text),
  }));
}

export function surgeHypothesis(seen: Observations, book: EvidenceBook): Hypothesis | undefined {
  const { surge, windows } = seen;
  if (!surge) return undefined;
  const { service, metric, before, during, fold, summary } = surge;
  const confidence = SURGE_WEIGHT * soft(Math.log(fold), HALF_SURGE);
  const query = `${metric}{service="${service}"}`;
  const id = book.cite(
    {
      kind: 'metric',
      service,
      summary,
      query,
      window: incidentWindow(windows),
      baseline: before,
      during,
    },
    confidence,
  );
  return { category: 'traffic_surge', confidence, supports: [id], refutes: [], why: summary };
}

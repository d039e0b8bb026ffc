import type { Hypothesis } from '#spec/data';
import type { Observations } from '../observe.ts';
import { incidentWindow } from '../windows.ts';
import { says, symptomsName } from '../words.ts';
import type { EvidenceBook } from './evidence-book.ts';
import type { OutsideCause } from './outside-causes.ts';

export function outsideHypotheses(
  causes: readonly OutsideCause[],
  shares: readonly number[],
  seen: Observations,
  book: EvidenceBook,
): Hypothesis[] {
  return causes.map(({ category, service, text }, at) => ({
    category,
    ...(service === undefined ? {} : { service }),
    confidence: shares[at] as number,
    supports: [
      book.cite(
        {
          kind: 'log',
          ...(service === undefined ? {} : { service }),
          summary: says(service, text),
          query: `logs${service === undefined ? '' : `{service="${service}"}`} |= "${text}"`,
          window: incidentWindow(seen.windows),
        },
        1,
      ),
    ],
    refutes: [],
    why: symptomsName(text),
  }));
}

export function surgeHypothesis(
  share: number,
  seen: Observations,
  book: EvidenceBook,
): Hypothesis | undefined {
  const { surge, windows } = seen;
  if (!surge) return undefined;
  const { service, metric, before, during, summary } = surge;
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
    share,
  );
  return { category: 'traffic_surge', confidence: share, supports: [id], refutes: [], why: summary };
}

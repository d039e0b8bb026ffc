import type { FoundEvidence } from '../finding.ts';
import type { Observations, OnsetSeries } from '../observe.ts';
import { instant } from '../windows.ts';
import { leftRange } from '../words.ts';

/** A series that left its range, as evidence. */
export const onsetEvidence = (
  { service, metric, at, before, during }: OnsetSeries,
  { windows }: Observations,
): FoundEvidence => ({
  kind: 'metric',
  service,
  summary: leftRange({ metric, service }, { before, during }),
  query: `${metric}{service="${service}"}`,
  window: { start: instant(windows.baseline[0]), end: instant(windows.incident[1]) },
  baseline: before,
  during,
  at: instant(at),
});

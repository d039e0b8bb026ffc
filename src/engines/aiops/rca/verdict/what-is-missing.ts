import type { Text } from '#kit/text';
import type { Hypothesis, Telemetry } from '#spec/data';
import { LACKS, NEXT } from '../words.ts';

/** Kinds of evidence that nobody kept, in the words of the report. */
export function whatIsMissing({ metrics, logs, spans, changes, topology }: Telemetry): Text[] {
  return [
    ...(metrics.length ? [] : [LACKS.metrics]),
    ...(logs.length ? [] : [LACKS.logs]),
    ...(spans.length ? [] : [LACKS.traces]),
    ...(changes === undefined ? [LACKS.changes] : []),
    ...(topology === undefined && !spans.length ? [LACKS.topology] : []),
  ];
}

/** The question that would tell the two likeliest apart, or find the first one. */
export function nextQuery(
  [first, second]: readonly Hypothesis[],
  { logs, spans, changes, bundle }: Telemetry,
): Text | undefined {
  const place = first?.service ?? bundle.service;
  if (place === undefined) return undefined;
  if (first?.change !== undefined) return NEXT.without(place, first.change);
  const other = second?.service !== place ? second?.service : undefined;
  const { start } = bundle.incident;
  if (!logs.length) return NEXT.logs(place, other, start);
  if (!spans.length) return NEXT.traces(place, other);
  if (changes === undefined) return NEXT.changes(place, other, bundle.startsAt);
  return NEXT.saturation(place, other, start);
}

import type { Hypothesis, Telemetry } from '#spec/data';

/** Kinds of evidence that nobody kept, in the words of the report. */
export function whatIsMissing({ metrics, logs, spans, changes, topology }: Telemetry): string[] {
  return [
    metrics.length ? '' : 'metrics',
    logs.length ? '' : 'logs',
    spans.length ? '' : 'traces',
    changes === undefined ? 'changes (deploys, commits, configuration, flags)' : '',
    topology === undefined && !spans.length ? 'topology: who calls whom' : '',
  ].filter(Boolean);
}

/** The question that would tell the two likeliest apart, or find the first one. */
export function nextQuery(
  [first, second]: readonly Hypothesis[],
  { logs, spans, changes, bundle }: Telemetry,
): string | undefined {
  const place = first?.service ?? bundle.service;
  if (place === undefined) return undefined;
  if (first?.change !== undefined) return `does ${place} recover where ${first.change} does not run?`;
  const other = second?.service !== undefined && second.service !== place ? ` and of ${second.service}` : '';
  if (!logs.length) return `logs of ${place}${other} since ${bundle.incident.start}: which errors are new?`;
  if (!spans.length) return `traces through ${place}${other}: which call waits, and for whom?`;
  if (changes === undefined) return `changes of ${place}${other} in the day before ${bundle.startsAt}`;
  return `saturation of ${place}${other}: pools, queues, throttling and restarts since ${bundle.incident.start}`;
}

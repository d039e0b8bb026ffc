import { sleep } from '#kit/sleep';
import type { Answer } from './ask-source.ts';
import { buildBundle } from './build-bundle.ts';
import { type Collecting, givenEdges, ownServices, scopeOf } from './collecting.ts';
import { type CollectedEvidence, DEFAULT_LIMITS, type EvidenceRequest } from './evidence-request.ts';
import { findGaps } from './find-gaps.ts';
import { type FirstLooks, firstLooks } from './first-looks.ts';
import { gather, gatherChanges, type Gathered, gatherEdges } from './gather.ts';
import { incidentWindows } from './incident-windows.ts';
import { mergeChanges, mergeEdges, mergeLines, mergeSeries, mergeSpans } from './merge-answers.ts';

/**
 * Everything that backends know about an incident, read-only, side by side, bounded in time and size. Rejects only when
 * the caller's signal aborts: what a backend does not give is a gap.
 */
export async function collectEvidence(request: EvidenceRequest): Promise<CollectedEvidence> {
  request.signal.throwIfAborted();
  const began = request.now();
  const done = new AbortController();
  const whole = new AbortController();
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  void sleep(limits.wholeMs, AbortSignal.any([request.signal, done.signal])).then((over) => {
    if (over) whole.abort();
  });
  try {
    const collecting = {
      request,
      limits,
      windows: incidentWindows(request.incident.startsAt, { ...limits, ...request.windows }, began),
      signal: AbortSignal.any([request.signal, whole.signal]),
      own: ownServices(request),
    };
    return await collect(collecting, began);
  } finally {
    done.abort();
  }
}

async function collect(collecting: Collecting, began: number): Promise<CollectedEvidence> {
  const { request, limits, windows } = collecting;
  const given = givenEdges(request);
  const written = [...new Set(given.flatMap(({ from, to }) => [from, to]))];
  const looks = firstLooks(request.priors ?? [], request.profiles ?? [], written);
  const changing = gatherChanges(collecting);
  const looking = lookFirst(collecting, looks);
  const called = await gatherEdges(collecting);
  const edges = mergeEdges([...given, ...called.flatMap(({ items }) => items)]);
  const gathering = gather(collecting, scopeOf(collecting, { edges }, looks));
  const [first, rest, changes] = await Promise.all([looking, gathering, changing]);
  request.signal.throwIfAborted();
  const series = mergeSeries([...first.metrics, ...rest.metrics], limits, looks.metrics);
  const logs = mergeLines([...first.logs, ...rest.logs], limits);
  const spans = mergeSpans([...first.traces, ...rest.traces], limits.spans);
  const changed = mergeChanges(changes, limits.changes);
  const answers: Answer<unknown>[] = [...all(first), ...all(rest), ...changes, ...called];
  return {
    telemetry: {
      bundle: buildBundle(request, windows, series.items),
      metrics: series.items,
      logs: logs.items,
      spans: spans.items,
      ...(changes.some(({ problem }) => problem === undefined) ? { changes: changed.items } : {}),
      ...(edges.length ? { topology: { edges } } : {}),
    },
    asked: answers.flatMap(({ asked }) => asked),
    gaps: findGaps(answers, {
      metrics: series.cut,
      logs: logs.cut,
      traces: spans.cut,
      changes: changed.cut,
    }),
    ms: request.now() - began,
  };
}

const all = ({ metrics, logs, traces }: Gathered): Answer<unknown>[] => [...metrics, ...logs, ...traces];

/** What decided before is asked for by itself, so that it is there even when the rest takes too long. */
async function lookFirst(collecting: Collecting, { services }: FirstLooks): Promise<Gathered> {
  const { own, request } = collecting;
  const narrow = [...new Set([...own, ...services])];
  if (!narrow.length || !request.priors?.some((prior) => prior.checked?.length))
    return { metrics: [], logs: [], traces: [] };
  request.report?.(`looking first at what decided before: ${narrow.join(', ')}`);
  return gather(collecting, narrow);
}

import { type IndexedSpan, type Side, type TraceIndex, uncoveredMs } from './trace-index.ts';

/** Milliseconds by window. */
export type Times = Record<Side, number[]>;

export interface SpanTimes {
  /** Between the caller's span and the callee's: the wire, and whatever queues stand along it. By `caller\ncallee`. */
  readonly edges: ReadonlyMap<string, Times>;
  /** Callees that send no spans: what is between is all that a call took. */
  readonly unseen: ReadonlySet<string>;
  /** Work of a service itself, by `service\noperation`. */
  readonly own: ReadonlyMap<string, Times>;
  /** Whole traces, from their roots. */
  readonly roots: Times;
}

/**
 * Where the time of traces went. A span whose only child runs in another service is a call: what the child does not
 * cover is the way there and back. Of any other span, what is not covered by children is its own work.
 */
export function spanTimes({ spans }: TraceIndex): SpanTimes {
  const edges = new Map<string, Times>();
  const own = new Map<string, Times>();
  const unseen = new Set<string>();
  const roots: Times = { before: [], during: [] };
  for (const indexed of spans) {
    const { span, side, children } = indexed;
    if (!span.parentId) roots[side].push(span.durationMs);
    const [only] = children;
    const answering = children.length === 1 && only?.service !== span.service ? only?.service : undefined;
    const callee = indexed.unseen?.callee ?? answering;
    if (indexed.unseen) unseen.add(indexed.unseen.callee);
    const isCall = callee !== undefined;
    const [map, key] = isCall
      ? [edges, `${span.service}\n${callee}`]
      : [own, `${span.service}\n${span.operation}`];
    const times = map.get(key) ?? { before: [], during: [] };
    times[side].push(uncoveredMs(span, isCall ? children : [...children, ...laterSiblings(indexed)]));
    map.set(key, times);
  }
  return { edges, unseen, own, roots };
}

/** Where the context of a trace is lost on the way, as in callbacks, what a span called stands beside it, not below. */
function laterSiblings({ span, siblings }: IndexedSpan): IndexedSpan['siblings'] {
  return siblings.filter(
    (other) => other !== span && other.start >= span.start && other.spanId !== span.spanId,
  );
}

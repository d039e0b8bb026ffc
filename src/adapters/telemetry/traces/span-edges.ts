import type { SpanRecord, Topology } from '#spec/data';

type Edge = Topology['edges'][number];

/** Attributes in which a caller names the other end, where that has no spans of its own. */
const PEERS = ['peer.service', 'db.system.name', 'db.system', 'messaging.system'];

/** Who calls whom: spans of one service below spans of another, and callees that only their callers know. */
export function spanEdges(spans: readonly SpanRecord[]): Edge[] {
  const key = (traceId: string, spanId: string) => `${traceId} ${spanId}`;
  const byId = new Map(spans.map((span) => [key(span.traceId, span.spanId), span]));
  const withChildren = new Set(spans.map(({ traceId, parentId }) => key(traceId, parentId ?? '')));
  const found = spans.flatMap((span): Edge[] => {
    const parent = span.parentId ? byId.get(key(span.traceId, span.parentId)) : undefined;
    const edge = parent ? [{ from: parent.service, to: span.service }] : [];
    if (withChildren.has(key(span.traceId, span.spanId))) return edge;
    const peer = PEERS.map((name) => span.attributes?.[name]).find((value) => typeof value === 'string');
    return typeof peer === 'string' ? [...edge, { from: span.service, to: peer }] : edge;
  });
  return uniqueEdges(found);
}

export function uniqueEdges(edges: readonly Edge[]): Edge[] {
  const byName = new Map(
    edges.filter(({ from, to }) => from !== to).map((edge) => [`${edge.from}\n${edge.to}`, edge]),
  );
  return [...byName.values()].toSorted((one, other) =>
    `${one.from}\n${one.to}` < `${other.from}\n${other.to}` ? -1 : 1,
  );
}

/** Edges at one of the services; all where none are named. */
export const edgesAt = (edges: readonly Edge[], services: readonly string[] | undefined): Edge[] =>
  edges.filter(({ from, to }) => !services || services.includes(from) || services.includes(to));

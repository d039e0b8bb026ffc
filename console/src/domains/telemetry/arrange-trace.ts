import type { SpanRecord } from '#spec/data';

export interface PlacedSpan {
  readonly span: SpanRecord;
  readonly depth: number;
}

export interface ArrangedTrace {
  readonly id: string;
  readonly start: number;
  readonly durationMs: number;
  readonly failed: boolean;
  readonly spans: readonly PlacedSpan[];
}

/** Spans as traces, those that failed first, then the slowest; within a trace every span under its parent. */
export function arrangeTraces(spans: readonly SpanRecord[]): readonly ArrangedTrace[] {
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  return [...byTrace]
    .map(([id, members]) => arrange(id, members))
    .toSorted((one, other) => Number(other.failed) - Number(one.failed) || other.durationMs - one.durationMs);
}

function arrange(id: string, members: readonly SpanRecord[]): ArrangedTrace {
  const known = new Set(members.map(({ spanId }) => spanId));
  const rootOf = ({ parentId, spanId }: SpanRecord) =>
    parentId && known.has(parentId) && parentId !== spanId ? parentId : '';
  const children = Map.groupBy(members, rootOf);
  const placed: PlacedSpan[] = [];
  const seen = new Set<SpanRecord>();
  const place = (parent: string, depth: number) => {
    const here = (children.get(parent) ?? []).toSorted((one, other) => one.start - other.start);
    for (const span of here) {
      // Spans may name each other as parents.
      if (seen.has(span)) continue;
      seen.add(span);
      placed.push({ span, depth });
      place(span.spanId, depth + 1);
    }
  };
  place('', 0);
  for (const span of members) if (!seen.has(span)) placed.push({ span, depth: 0 });
  const start = Math.min(...members.map((span) => span.start));
  const end = Math.max(...members.map((span) => span.start + span.durationMs / 1000));
  return {
    id,
    start,
    durationMs: (end - start) * 1000,
    failed: members.some(({ error }) => error === true),
    spans: placed,
  };
}

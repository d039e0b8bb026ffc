import type { SpanRecord } from '#spec/data';
import { MILLISECONDS, within, type Windows } from '../windows.ts';

export type Side = 'before' | 'during';

export interface IndexedSpan {
  readonly span: SpanRecord;
  readonly side: Side;
  readonly children: readonly SpanRecord[];
  readonly siblings: readonly SpanRecord[];
}

export interface TraceIndex {
  readonly spans: readonly IndexedSpan[];
  find(traceId: string | undefined, spanId: string | undefined): IndexedSpan | undefined;
}

/** Spans of the two windows with their children. A span belongs to the window in which it started. */
export function indexTraces(spans: readonly SpanRecord[], windows: Windows): TraceIndex {
  const key = (traceId: string, spanId: string): string => `${traceId} ${spanId}`;
  const children = Map.groupBy(
    spans.filter(({ parentId }) => parentId),
    ({ traceId, parentId }) => key(traceId, parentId ?? ''),
  );
  const none: readonly SpanRecord[] = [];
  const indexed = new Map<string, IndexedSpan>();
  for (const span of spans) {
    const side = sideOf(span.start, windows);
    if (!side) continue;
    indexed.set(key(span.traceId, span.spanId), {
      span,
      side,
      children: children.get(key(span.traceId, span.spanId)) ?? none,
      siblings: span.parentId ? (children.get(key(span.traceId, span.parentId)) ?? none) : none,
    });
  }
  return {
    spans: [...indexed.values()],
    find: (traceId, spanId) =>
      traceId === undefined || spanId === undefined ? undefined : indexed.get(key(traceId, spanId)),
  };
}

export function sideOf(time: number, windows: Windows): Side | undefined {
  if (within(time, windows.incident)) return 'during';
  return within(time, windows.baseline) ? 'before' : undefined;
}

/** The part of a span in which none of the others ran, in milliseconds. */
export function uncoveredMs({ start, durationMs }: SpanRecord, others: readonly SpanRecord[]): number {
  /** Milliseconds since the span began. */
  const since = (other: SpanRecord): number => (other.start - start) * MILLISECONDS;
  const busy = others
    .map((other): [number, number] => [
      Math.max(0, since(other)),
      Math.min(durationMs, since(other) + other.durationMs),
    ])
    .filter(([from, to]) => to > from)
    .sort((one, other) => one[0] - other[0]);
  let covered = 0;
  let reached = 0;
  for (const [from, to] of busy) {
    if (to <= reached) continue;
    covered += to - Math.max(from, reached);
    reached = to;
  }
  return Math.max(0, durationMs - covered);
}

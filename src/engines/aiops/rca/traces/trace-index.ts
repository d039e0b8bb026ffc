import type { SpanRecord } from '#spec/data';
import { LEAST_RELATIVE_SPREAD, LEAST_SIGMAS } from '../metrics/measure-change.ts';
import { robustSpread } from '../stats.ts';
import { MILLISECONDS, within, type Windows } from '../windows.ts';
import { unseenCallees } from './unseen-callees.ts';

export type Side = 'before' | 'during';

export interface IndexedSpan {
  readonly span: SpanRecord;
  readonly side: Side;
  readonly children: readonly SpanRecord[];
  readonly siblings: readonly SpanRecord[];
  /** Whom it calls, where they send no spans; whether it took longer than such calls used to. */
  readonly unseen?: { readonly callee: string; readonly late: boolean };
}

export interface TraceIndex {
  readonly spans: readonly IndexedSpan[];
  find(traceId: string | undefined, spanId: string | undefined): IndexedSpan | undefined;
  /** The request that a span belongs to: the first span of its service on the way. */
  entryOf(indexed: IndexedSpan): IndexedSpan;
}

/** Spans of the two windows with their children. A span belongs to the window in which it started. */
export function indexTraces(spans: readonly SpanRecord[], windows: Windows): TraceIndex {
  const key = (traceId: string, spanId: string): string => `${traceId} ${spanId}`;
  const children = Map.groupBy(
    spans.filter(({ parentId }) => parentId),
    ({ traceId, parentId }) => key(traceId, parentId ?? ''),
  );
  const none: readonly SpanRecord[] = [];
  const childrenOf = ({ traceId, spanId }: SpanRecord): readonly SpanRecord[] =>
    children.get(key(traceId, spanId)) ?? none;
  const calleeOf = unseenCallees(spans, childrenOf);
  const inside = spans.flatMap((span) => {
    const side = sideOf(span.start, windows);
    return side ? [{ span, side, callee: calleeOf(span, childrenOf(span)) }] : [];
  });
  const longest = longestUsual(inside);
  const indexed = new Map<string, IndexedSpan>();
  for (const { span, side, callee } of inside) {
    const late = span.durationMs > (longest.get(callee) ?? Number.POSITIVE_INFINITY);
    indexed.set(key(span.traceId, span.spanId), {
      span,
      side,
      children: childrenOf(span),
      siblings: span.parentId ? (children.get(key(span.traceId, span.parentId)) ?? none) : none,
      ...(callee === undefined ? {} : { unseen: { callee, late } }),
    });
  }
  const find: TraceIndex['find'] = (traceId, spanId) =>
    traceId === undefined || spanId === undefined ? undefined : indexed.get(key(traceId, spanId));
  const entryOf = (of: IndexedSpan): IndexedSpan => {
    let entry = of;
    // A span that is its own ancestor would never end.
    for (let up = 0; up < indexed.size; up++) {
      const parent = find(entry.span.traceId, entry.span.parentId ?? undefined);
      if (!parent || parent.span.service !== entry.span.service) break;
      entry = parent;
    }
    return entry;
  };
  return { spans: [...indexed.values()], find, entryOf };
}

/** A median that moved by fewer of its own deviations may be chance. */

/** How long calls to each callee took at most, but for a few. */
function longestUsual(
  spans: readonly { span: SpanRecord; side: Side; callee: string | undefined }[],
): ReadonlyMap<string | undefined, number> {
  const before = spans.filter(({ side, callee }) => side === 'before' && callee !== undefined);
  return new Map(
    [...Map.groupBy(before, ({ callee }) => callee)].map(([callee, own]) => [
      callee,
      longestOf(own.map(({ span }) => span.durationMs)),
    ]),
  );
}

/** What is longer than this is longer than such times usually are. */
export function longestOf(usual: readonly number[]): number {
  const { centre, spread } = robustSpread(usual);
  return centre + LEAST_SIGMAS * Math.max(spread, LEAST_RELATIVE_SPREAD * centre);
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

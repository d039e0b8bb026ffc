import { expect, it } from 'vitest';
import type { SpanRecord } from '#spec/data';
import { arrangeTraces } from './arrange-trace.ts';

const span = (traceId: string, spanId: string, parentId: string | undefined, start: number, error = false) =>
  ({
    traceId,
    spanId,
    parentId,
    start,
    durationMs: 100,
    service: 's',
    operation: spanId,
    error,
  }) as SpanRecord;

it('puts failed traces first and every span under its parent', () => {
  const traces = arrangeTraces([
    span('t1', 'a', undefined, 0),
    span('t2', 'child', 'root', 10.2, true),
    span('t2', 'root', 'gone', 10),
    span('t2', 'early', 'root', 10.1),
  ]);
  expect(traces.map(({ id, failed }) => [id, failed])).toEqual([
    ['t2', true],
    ['t1', false],
  ]);
  expect(traces[0]?.spans.map(({ span: { spanId }, depth }) => [spanId, depth])).toEqual([
    ['root', 0],
    ['early', 1],
    ['child', 1],
  ]);
  expect(traces[0]?.durationMs).toBeCloseTo(300);
});

it('loses no span where two are each other’s parent', () => {
  expect(arrangeTraces([span('t', 'a', 'b', 0), span('t', 'b', 'a', 0)])[0]?.spans).toHaveLength(2);
});

import { describe, expect, it } from 'vitest';
import type { SpanRecord } from '#spec/data';
import { spanTimes } from './span-times.ts';
import { indexTraces } from './trace-index.ts';

const windows = { baseline: [0, 99], incident: [100, 200], alert: 110 } as const;
const span = (
  spanId: string,
  parentId: string | null,
  service: string,
  from: number,
  durationMs: number,
): SpanRecord => ({
  traceId: 't',
  spanId,
  parentId,
  service,
  operation: `op${spanId}`,
  start: 100 + from / 1000,
  durationMs,
});

describe('spanTimes', () => {
  it('takes what a call does not cover for the wire, and what children leave for own work', () => {
    const { edges, own, roots } = spanTimes(
      indexTraces(
        [span('1', null, 'web', 0, 100), span('2', '1', 'web', 10, 80), span('3', '2', 'cart', 40, 20)],
        windows,
      ),
    );
    expect(edges.get('web\ncart')?.during[0]).toBeCloseTo(60);
    expect(own.get('web\nop1')?.during[0]).toBeCloseTo(20);
    expect(own.get('cart\nop3')?.during[0]).toBeCloseTo(20);
    expect(roots.during).toEqual([100]);
  });

  it('counts overlapping children once, and what a span called beside itself not as its own', () => {
    const { own } = spanTimes(
      indexTraces(
        [
          span('1', null, 'web', 0, 100),
          span('2', '1', 'web', 0, 100),
          span('3', '1', 'cart', 10, 50),
          span('4', '1', 'mail', 30, 50),
        ],
        windows,
      ),
    );
    expect(own.get('web\nop2')?.during[0]).toBeCloseTo(30);
  });
});

import { describe, expect, it } from 'vitest';
import { createMeter } from './instruments.ts';
import { otlpMetrics } from './otlp-metrics.ts';
import { nanoseconds, otlpValue } from './otlp-values.ts';
import { createTracer, type FinishedSpan } from './tracer.ts';

describe('the tracer', () => {
  it('goes on with the trace of the caller', () => {
    const spans: FinishedSpan[] = [];
    const tracer = createTracer((span) => spans.push(span));
    const trace = 'a'.repeat(32);
    const span = tracer.serve('POST /pay', `00-${trace}-${'b'.repeat(16)}-01`, {});
    const call = span.child('GET /coupons/:id', 'client');
    expect(call.traceparent).toBe(`00-${trace}-${call.spanId}-01`);
    call.end('late');
    call.end();
    span.end();
    expect(spans).toMatchObject([
      { traceId: trace, parentId: span.spanId, kind: 'client', error: 'late' },
      { traceId: trace, parentId: 'b'.repeat(16), kind: 'server' },
    ]);
    expect(spans[1]?.error).toBeUndefined();
  });

  it('begins anew after a malformed header, and records nothing of an unsampled trace', () => {
    const spans: FinishedSpan[] = [];
    const tracer = createTracer((span) => spans.push(span));
    tracer.serve('x', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, {}).end();
    expect(spans).toEqual([]);
    tracer.serve('x', '00-zz-1-01', {}).end();
    expect(spans[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(spans[0]?.parentId).toBeUndefined();
  });
});

describe('metrics as OTLP', () => {
  it('has the counts between bounds, codes as integers and no empty attribute', async () => {
    const meter = createMeter('payment-service');
    const served = { version: 'v1', method: 'POST', route: '/pay', code: 503, error: '' };
    for (const seconds of [0.004, 0.4, 0.4, 9]) meter.measure('served', seconds, served);
    meter.measure('limited', 3);
    const metrics = (await otlpMetrics(meter, 1_000, 2_000)) as Record<string, unknown>[];
    const histogram = metrics.find(({ name }) => name === 'http.server.request.duration') as {
      histogram: {
        dataPoints: {
          bucketCounts: string[];
          explicitBounds: number[];
          count: string;
          attributes: unknown[];
        }[];
      };
    };
    const [point] = histogram.histogram.dataPoints;
    expect(point?.count).toBe('4');
    expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1);
    expect(point?.bucketCounts.map(Number).reduce((sum, one) => sum + one, 0)).toBe(4);
    expect(point?.bucketCounts.at(-1)).toBe('1');
    expect(point?.bucketCounts[point.explicitBounds.indexOf(0.5)]).toBe('2');
    expect(point?.attributes).toContainEqual({
      key: 'http.response.status_code',
      value: { intValue: '503' },
    });
    expect(JSON.stringify(point?.attributes)).not.toContain('error.type');
    const sum = metrics.find(({ name }) => name === 'http.server.rate_limit.rejections');
    expect(sum).toMatchObject({ sum: { isMonotonic: true, dataPoints: [{ asDouble: 3 }] } });
  });

  it('keeps the digits of times and the types of values', () => {
    expect(nanoseconds(1_700_000_000_123.5)).toBe('1700000000123500000');
    expect(otlpValue(7)).toEqual({ intValue: '7' });
    expect(otlpValue(0.5)).toEqual({ doubleValue: 0.5 });
  });
});

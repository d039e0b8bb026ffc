import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RouteAnswer } from '#spec/ports';
import {
  describeLogsSource,
  describeMetricsSource,
  describeTracesSource,
  type MetricSample,
  SAMPLE_LINES,
  SAMPLE_METRICS,
  SAMPLE_SPANS,
  SAMPLE_WINDOW,
} from '#testkit/telemetry-contract';
import { openEmbedded } from './open-embedded.ts';
import { otlpRoutes } from '#adapters/otlp';
import { telemetry } from './embedded.ts';

const STEP = 15;
const FIRST = Date.parse(SAMPLE_WINDOW.start) / 1_000 - 600;
const LAST = Date.parse(SAMPLE_WINDOW.end) / 1_000 + 600;
const NOW = LAST * 1_000;
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const nanos = (seconds: number): string => `${BigInt(Math.round(seconds * 1e6)) * 1_000n}`;
const attributes = (all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([key, stringValue]) => ({ key, value: { stringValue } }));
const resource = (service: string, version?: string) => ({
  attributes: attributes({ 'service.name': service, ...(version ? { 'service.version': version } : {}) }),
});

/** One sender of a sample: totals in buckets, one reading every 15 seconds. */
function readings({ family, labels, value, duration, since }: MetricSample) {
  const { service = '', version, instance: _, job: __, ...rest } = labels;
  let [count, sum] = [0, 0];
  const buckets = [...BOUNDS, Infinity].map(() => 0);
  const out: { time: number; body: object }[] = [];
  // A reading tells what has happened in the seconds before it.
  for (let time = Math.max(FIRST, since ?? FIRST) + STEP; time <= LAST; time += STEP) {
    const [more, took] = [value(time - STEP) * STEP, duration?.(time - STEP) ?? 0];
    count += more;
    sum += more * took;
    const place = BOUNDS.findIndex((bound) => took <= bound);
    const at = place < 0 ? BOUNDS.length : place;
    buckets[at] = (buckets[at] ?? 0) + more;
    const point = {
      startTimeUnixNano: nanos(since ?? FIRST),
      timeUnixNano: nanos(time),
      count: String(count),
      sum,
      bucketCounts: buckets.map(String),
      explicitBounds: BOUNDS,
      attributes: attributes(rest),
    };
    const metric = { name: family, unit: 's', histogram: { aggregationTemporality: 2, dataPoints: [point] } };
    out.push({ time, body: { resource: resource(service, version), scopeMetrics: [{ metrics: [metric] }] } });
  }
  return out;
}

/** The sample as its services would send it. */
async function filled() {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-kind-'));
  const place = { key: () => undefined, folder, now: () => NOW };
  const store = await openEmbedded(folder, { now: () => NOW });
  const routes = otlpRoutes(store, () => NOW);
  const send = async (path: string, body: object): Promise<RouteAnswer> => {
    const route = routes.find((one) => one.path === path);
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', path, params: {}, query: new URLSearchParams(), headers };
    const signal = new AbortController().signal;
    const answer = await route?.handle({ ...request, body: Buffer.from(JSON.stringify(body)), signal });
    if (answer?.status !== 200 || JSON.stringify(answer.body) !== '{}')
      throw new Error(JSON.stringify(answer));
    return answer;
  };
  for (const { body } of SAMPLE_METRICS.flatMap(readings).toSorted((a, b) => a.time - b.time))
    await send('/v1/metrics', { resourceMetrics: [body] });
  const resourceLogs = SAMPLE_LINES.map(({ time, service, level, message, traceId }) => ({
    resource: resource(service),
    scopeLogs: [
      {
        logRecords: [
          {
            timeUnixNano: nanos(time),
            severityText: level,
            severityNumber: level === 'error' ? 17 : 9,
            body: { stringValue: message },
            traceId,
          },
        ],
      },
    ],
  }));
  await send('/v1/logs', { resourceLogs });
  const resourceSpans = SAMPLE_SPANS.map(
    ({ traceId, spanId, parentId, service, operation, start, durationMs, error, status }) => ({
      resource: resource(service),
      scopeSpans: [
        {
          spans: [
            {
              traceId,
              spanId,
              parentSpanId: parentId ?? '',
              name: operation,
              kind: 2,
              startTimeUnixNano: nanos(start),
              endTimeUnixNano: nanos(start + durationMs / 1_000),
              status: { code: error ? 2 : 0 },
              attributes: [{ key: 'http.response.status_code', value: { intValue: status } }],
            },
          ],
        },
      ],
    }),
  );
  await send('/v1/traces', { resourceSpans });
  const opened = await telemetry.open(telemetry.settings.parse({}), place);
  await store.close();
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await rm(folder, { recursive: true });
    },
  };
}

describeMetricsSource('the embedded store', filled);
describeLogsSource('the embedded store', filled);
describeTracesSource('the embedded store', filled);

describe('the embedded store as a backend', () => {
  it('tells versions and calls apart in the sample', async () => {
    const sources = await filled();
    const scope = { window: SAMPLE_WINDOW, services: ['payment-service'], limit: 100 };
    const { items } = (await sources.metrics?.signals(scope, new AbortController().signal)) ?? { items: [] };
    const last = (metric: string) => items.find((one) => one.metric === metric)?.values.at(-2);
    expect(last('requests_per_second@v2')).toBeCloseTo(5, 1);
    expect(last('errors_503_per_second@v2')).toBeCloseTo(3, 1);
    expect(last('latency_ms_mean_to_order-service')).toBeCloseTo(50, 1);
    await sources.close();
  });

  it('knows its settings', () => {
    expect(telemetry.settings.parse({})).toEqual({
      max_age_hours: 6,
      max_megabytes: 200,
      max_series: 20_000,
    });
    expect(telemetry.settings.safeParse({ max_age: 1 }).success).toBe(false);
  });
});

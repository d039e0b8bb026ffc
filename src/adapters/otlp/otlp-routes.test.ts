import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Route, RouteAnswer } from '#spec/ports';
import { decodeMessage, encodeMessage, type Field } from '#kit/protobuf';
import { openEmbedded } from '#adapters/telemetry';
import { otlpRoutes } from './otlp-routes.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const START = NOW - 60_000;
const never = new AbortController().signal;
const scope = {
  window: { start: new Date(START).toISOString(), end: new Date(NOW).toISOString() },
  limit: 500,
};
const TRACE = '5b8efff798038103d269b633813fc60c';
const SPAN = 'eee19b7ec3c1b174';
const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF = { 'content-type': 'application/x-protobuf' };
let folder: string;
let store: Awaited<ReturnType<typeof openEmbedded>>;
let routes: Route[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'otlp-'));
  store = await openEmbedded(folder, { now: () => NOW });
  routes = otlpRoutes(store, () => NOW);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = JSON_TYPE,
): Promise<RouteAnswer & { readonly text: string }> {
  const route = routes.find((one) => one.path === path);
  if (!route) throw new Error(`no route ${path}`);
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = await route.handle({
    method: 'POST',
    path,
    params: {},
    query: new URLSearchParams(),
    headers,
    body: bytes,
    signal: never,
  });
  return { ...answer, text: JSON.stringify(answer.body) };
}

const nanos = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`;
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const resource = { attributes: [attribute('service.name', 'payment'), attribute('service.version', 'v1')] };

const metricsJson = (metrics: unknown[]) => ({
  resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }],
});
const histogram = (second: number, count: number) => ({
  name: 'http.server.request.duration',
  unit: 's',
  histogram: {
    aggregationTemporality: 2,
    dataPoints: [
      {
        startTimeUnixNano: nanos(START),
        timeUnixNano: nanos(START + second * 1_000),
        count: String(count),
        sum: count * 0.05,
        bucketCounts: ['0', String(count), '0'],
        explicitBounds: [0.01, 0.1],
        attributes: [{ key: 'http.response.status_code', value: { intValue: '503' } }],
      },
    ],
  },
});

describe('the OTLP receiver, JSON', () => {
  it('notes the machine of the sender on everything that it sends', async () => {
    const placed = { attributes: [...resource.attributes, attribute('k8s.node.name', 'worker-3')] };
    const time = nanos(START + 1_000);
    await post('/v1/metrics', {
      resourceMetrics: [
        {
          resource: placed,
          scopeMetrics: [
            {
              metrics: [
                { name: 'queue.depth', gauge: { dataPoints: [{ timeUnixNano: time, asDouble: 4 }] } },
              ],
            },
          ],
        },
      ],
    });
    const logRecords = [{ timeUnixNano: time, body: { stringValue: 'hello' } }];
    await post('/v1/logs', { resourceLogs: [{ resource: placed, scopeLogs: [{ logRecords }] }] });
    const spans = [
      { traceId: TRACE, spanId: SPAN, name: 'x', startTimeUnixNano: time, endTimeUnixNano: time },
    ];
    await post('/v1/traces', { resourceSpans: [{ resource: placed, scopeSpans: [{ spans }] }] });
    const on = { 'k8s.node.name': 'worker-3' };
    expect((await store.sources.logs.lines(scope, never)).items).toMatchObject([{ attributes: on }]);
    expect((await store.sources.traces.spans(scope, never)).items).toMatchObject([{ attributes: on }]);
    const asked = (node: string) =>
      store.sources.metrics.query(`queue.depth{k8s.node.name="${node}"}`, scope, never);
    expect((await asked('worker-3')).items).toHaveLength(1);
    expect((await asked('worker-4')).items).toHaveLength(0);
  });

  it('takes metrics, logs and spans', async () => {
    for (const second of [10, 20, 30]) {
      expect(await post('/v1/metrics', metricsJson([histogram(second, second * 2)]))).toMatchObject({
        status: 200,
        body: {},
      });
    }
    const { items } = await store.sources.metrics.signals(scope, never);
    const errors = items.find(({ metric }) => metric === 'errors_503_per_second');
    expect(errors?.values[15]).toBeCloseTo(2, 6);

    const logRecords = [
      {
        timeUnixNano: nanos(START + 1_500),
        severityNumber: 17,
        body: { stringValue: 'charge failed' },
        traceId: TRACE.toUpperCase(),
        spanId: SPAN,
        attributes: [attribute('exception.type', 'PoolTimeout')],
      },
      {
        observedTimeUnixNano: nanos(START + 2_000),
        severityText: 'warning',
        body: { kvlistValue: { values: [attribute('msg', 'slow')] } },
      },
    ];
    const sent = await post('/v1/logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] });
    expect(sent).toMatchObject({ status: 200, body: {} });
    const lines = (await store.sources.logs.lines(scope, never)).items;
    expect(lines).toMatchObject([
      {
        time: START / 1_000 + 1.5,
        service: 'payment',
        level: 'error',
        message: 'charge failed | PoolTimeout',
        traceId: TRACE,
        spanId: SPAN,
      },
      { level: 'warning', message: 'slow', attributes: { 'service.version': 'v1' } },
    ]);

    const spans = [
      {
        traceId: TRACE,
        spanId: SPAN,
        parentSpanId: '',
        name: 'POST /pay',
        kind: 2,
        startTimeUnixNano: nanos(START + 1_000),
        endTimeUnixNano: nanos(START + 1_250),
        status: { code: 'STATUS_CODE_ERROR', message: 'no connection' },
        attributes: [{ key: 'http.response.status_code', value: { intValue: 503 } }],
      },
    ];
    await post('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] });
    const found = (await store.sources.traces.spans(scope, never)).items;
    expect(found).toMatchObject([
      {
        traceId: TRACE,
        spanId: SPAN,
        parentId: null,
        operation: 'POST /pay',
        durationMs: 250,
        error: true,
        status: 503,
      },
    ]);
    expect(found[0]?.attributes).toMatchObject({ 'status.message': 'no connection', 'span.kind': 'server' });
  });

  it('tells what it did not take', async () => {
    const exponential = { name: 'x', exponentialHistogram: { dataPoints: [{}, {}] } };
    const answer = await post(
      '/v1/metrics',
      metricsJson([histogram(10, 1), exponential, histogram(-30_000, 1)]),
    );
    expect(answer).toMatchObject({ status: 200, body: { partialSuccess: { rejectedDataPoints: '3' } } });
    expect(answer.text).toMatch(/exponential.*1 older than what is kept/);
    const spans = [{ traceId: TRACE, spanId: '', name: 'x', startTimeUnixNano: nanos(START) }];
    const traces = await post('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] });
    expect(traces.body).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
  });

  it.each([
    ['{"resourceMetrics": [', 'the body is not JSON'],
    ['[]', 'the request'],
    ['{"resourceMetrics": {}}', 'resourceMetrics'],
    [
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"x","sum":{"dataPoints":[{"asInt":"1.5"}]}}]}]}]}',
      'asInt',
    ],
  ])('refuses %s', async (body, said) => {
    const answer = await post('/v1/metrics', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 3 });
    expect(answer.text).toContain(said);
  });

  it('takes an empty request and passes over what it does not know', async () => {
    expect(await post('/v1/logs', {})).toMatchObject({ status: 200, body: {} });
    expect(await post('/v1/traces', { resourceSpans: [{ surprise: 1 }], more: true })).toMatchObject({
      status: 200,
    });
  });

  it('does not follow values without end', async () => {
    let value: object = { stringValue: 'deep' };
    for (let depth = 0; depth < 500; depth++) value = { arrayValue: { values: [value] } };
    const logRecords = [{ timeUnixNano: nanos(START), body: value }];
    expect(await post('/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })).toMatchObject({
      status: 200,
    });
    expect((await store.sources.logs.lines(scope, never)).items).toMatchObject([
      { service: 'unknown_service' },
    ]);
  });
});

describe('the OTLP receiver, what is packed or of other kinds', () => {
  it('unzips, within bounds', async () => {
    const zipped = (body: unknown) => gzipSync(JSON.stringify(body));
    const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect(await post('/v1/metrics', zipped(metricsJson([histogram(10, 5)])), gzip)).toMatchObject({
      status: 200,
    });
    const bomb = gzipSync(Buffer.alloc(40_000_000, 0x20));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await post('/v1/metrics', bomb, gzip)).toMatchObject({ status: 413, body: { code: 8 } });
    expect(await post('/v1/metrics', Buffer.from('no zip'), gzip)).toMatchObject({ status: 400 });
    expect(await post('/v1/metrics', '{}', { ...JSON_TYPE, 'content-encoding': 'br' })).toMatchObject({
      status: 415,
    });
  });

  it('refuses other types and what is too large', async () => {
    expect(await post('/v1/logs', 'x', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(await post('/v1/logs', 'x', {})).toMatchObject({ status: 415 });
    expect(await post('/v1/logs', 'x', { 'content-type': 'constructor' })).toMatchObject({ status: 415 });
    expect(await post('/v1/logs', Buffer.alloc(4_000_001))).toMatchObject({ status: 413 });
    expect(await post('/v1/logs', '{}', { 'content-type': 'Application/JSON; charset=utf-8' })).toMatchObject(
      { status: 200 },
    );
    expect(routes.map(({ method, path, access, maxBytes }) => [method, path, access, maxBytes])).toEqual([
      ['POST', '/v1/metrics', 'write', 4_000_000],
      ['POST', '/v1/logs', 'write', 4_000_000],
      ['POST', '/v1/traces', 'write', 4_000_000],
    ]);
  });
});

/** Fields that the small encoder has no kind for are written by hand. */
const fixed64 = (number: number, value: bigint): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(number * 8 + 1);
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
};
const double = (number: number, value: number): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(number * 8 + 1);
  bytes.writeDoubleLE(value, 1);
  return bytes;
};
const doubles = (values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, at) => bytes.writeDoubleLE(value, at * 8));
  return bytes;
};
const longs = (values: bigint[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, at) => bytes.writeBigUInt64LE(value, at * 8));
  return bytes;
};
const wrap = (number: number, ...parts: Uint8Array[]): Buffer =>
  encodeMessage([[number, 'bytes', Buffer.concat(parts)]]);
const keyValue = (number: number, key: string, value: string): Buffer => {
  const fields: Field[] = [
    [1, 'string', key],
    [2, 'message', [[1, 'string', value]]],
  ];
  return encodeMessage([[number, 'message', fields]]);
};
const inResource = (...records: Uint8Array[]): Buffer =>
  wrap(1, wrap(1, keyValue(1, 'service.name', 'payment')), wrap(2, ...records));
const time = (ms: number): bigint => BigInt(ms) * 1_000_000n;

describe('the OTLP receiver, protocol buffers', () => {
  const point = (second: number, count: bigint): Buffer =>
    wrap(
      1,
      fixed64(2, time(START)),
      fixed64(3, time(START + second * 1_000)),
      fixed64(4, count),
      double(5, Number(count) * 0.05),
      encodeMessage([[6, 'bytes', longs([0n, count, 0n])]]),
      encodeMessage([[7, 'bytes', doubles([0.01, 0.1])]]),
      keyValue(9, 'http.response.status_code', '503'),
    );
  const metric = (...points: Uint8Array[]): Buffer =>
    wrap(
      2,
      encodeMessage([
        [1, 'string', 'http.server.request.duration'],
        [3, 'string', 's'],
      ]),
      wrap(9, ...points, encodeMessage([[2, 'uint', 2]])),
    );

  it('reads the same as from JSON', async () => {
    const counts = [10, 20, 30].map((second) => point(second, BigInt(second * 2)));
    const answer = await post('/v1/metrics', inResource(metric(...counts)), PROTOBUF);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual(PROTOBUF);
    expect(answer.body).toHaveLength(0);
    const fromProtobuf = (await store.sources.metrics.signals(scope, never)).items;
    expect(fromProtobuf.find(({ metric: name }) => name === 'errors_503_per_second')?.values[15]).toBeCloseTo(
      2,
      6,
    );
    expect(fromProtobuf.find(({ metric: name }) => name === 'latency_mean_ms')?.values[15]).toBeCloseTo(
      50,
      6,
    );
  });

  it('reads logs and spans with their ids', async () => {
    const ids = [Buffer.from(TRACE, 'hex'), Buffer.from(SPAN, 'hex')] as const;
    const logRecord = wrap(
      2,
      fixed64(1, time(START + 500)),
      encodeMessage([
        [2, 'uint', 13],
        [5, 'message', [[1, 'string', 'slow']]],
        [9, 'bytes', ids[0]],
        [10, 'bytes', ids[1]],
      ]),
    );
    expect((await post('/v1/logs', inResource(logRecord), PROTOBUF)).status).toBe(200);
    expect((await store.sources.logs.lines(scope, never)).items).toMatchObject([
      { message: 'slow', level: 'warn', traceId: TRACE, spanId: SPAN, time: START / 1_000 + 0.5 },
    ]);
    const span = wrap(
      2,
      encodeMessage([
        [1, 'bytes', ids[0]],
        [2, 'bytes', ids[1]],
        [5, 'string', 'POST /pay'],
        [6, 'uint', 2],
      ]),
      fixed64(7, time(START)),
      fixed64(8, time(START + 20)),
      encodeMessage([[15, 'message', [[3, 'uint', 2]]]]),
    );
    expect((await post('/v1/traces', inResource(span), PROTOBUF)).status).toBe(200);
    expect((await store.sources.traces.spans(scope, never)).items).toMatchObject([
      { traceId: TRACE, error: true, durationMs: 20 },
    ]);
  });

  it('tells a partial success and refusals in its own encoding', async () => {
    const partial = await post('/v1/metrics', inResource(metric(point(-30_000, 1n))), PROTOBUF);
    const told = decodeMessage(partial.body as Uint8Array).message(1);
    expect(told?.int(1)).toBe(1);
    expect(told?.text(2)).toContain('older');
    for (const broken of [
      Buffer.from([0x0a, 0x7f]),
      Buffer.from([0x08]),
      Buffer.from([0x08, 0x01]),
      wrap(1, Buffer.from([0x0b])),
    ]) {
      const answer = await post('/v1/metrics', broken, PROTOBUF);
      expect(answer.status, broken.toString('hex')).toBe(400);
      expect(decodeMessage(answer.body as Uint8Array).int(1)).toBe(3);
    }
  });

  it('survives whatever bytes come', async () => {
    const sound = inResource(metric(point(10, 5n)));
    for (let at = 0; at < sound.length; at++) {
      const broken = Buffer.from(sound);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      const { status } = await post('/v1/metrics', broken, PROTOBUF);
      expect([200, 400]).toContain(status);
      expect([200, 400]).toContain((await post('/v1/metrics', sound.subarray(0, at), PROTOBUF)).status);
    }
  });

  it('does not follow values without end', async () => {
    let value = encodeMessage([[1, 'string', 'deep']]);
    for (let depth = 0; depth < 200; depth++) value = wrap(5, wrap(1, value));
    const body = inResource(wrap(2, fixed64(1, time(START)), wrap(5, value)));
    expect((await post('/v1/logs', body, PROTOBUF)).status).toBe(400);
  });
});

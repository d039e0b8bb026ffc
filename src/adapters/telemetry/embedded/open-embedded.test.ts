import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MetricSeries } from '#spec/data';
import { type EmbeddedOptions, type EmbeddedStore, openEmbedded } from './open-embedded.ts';
import type { LogRecord, MetricPoint, SpanData } from '#spec/ports';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const START = NOW - 60_000;
const never = new AbortController().signal;
let folder: string;
let clock: number;
let stores: EmbeddedStore[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  clock = NOW;
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true });
});

async function openStore(options: EmbeddedOptions = {}): Promise<EmbeddedStore> {
  const store = await openEmbedded(folder, { now: () => clock, ...options });
  stores.push(store);
  return store;
}

const window = (fromMs = START, toMs = NOW) => ({
  start: new Date(fromMs).toISOString(),
  end: new Date(toMs).toISOString(),
});
const scope = (more: object = {}) => ({ window: window(), limit: 500, ...more });

const counter = (timeMs: number, value: number, more: Partial<MetricPoint> = {}): MetricPoint => ({
  service: 'payment',
  instance: 'i1',
  name: 'jobs.done',
  unit: '1',
  kind: 'sum',
  temporality: 'cumulative',
  monotonic: true,
  attributes: {},
  startMs: START - 3_600_000,
  timeMs,
  value,
  ...more,
});
const BOUNDS = [0.01, 0.1, 1];
const served = (timeMs: number, buckets: number[], more: Partial<MetricPoint> = {}): MetricPoint =>
  counter(
    timeMs,
    buckets.reduce((sum, one) => sum + one, 0),
    {
      name: 'http.server.request.duration',
      unit: 's',
      kind: 'histogram',
      sum: buckets.reduce((sum, count, at) => sum + count * ([0.005, 0.05, 0.5, 2][at] ?? 0), 0),
      bounds: BOUNDS,
      buckets,
      attributes: { 'http.response.status_code': '200' },
      ...more,
    },
  );
const log = (timeMs: number, message: string, more: Partial<LogRecord> = {}): LogRecord => ({
  timeMs,
  service: 'payment',
  severity: 9,
  level: 'INFO',
  message,
  attributes: {},
  ...more,
});
const span = (traceId: string, spanId: string, service: string, more: Partial<SpanData> = {}): SpanData => ({
  traceId,
  spanId,
  service,
  operation: 'work',
  startMs: START + 1_000,
  durationMs: 20,
  error: false,
  attributes: {},
  ...more,
});

const seconds = (from: number, to: number, step = 2): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
const find = (items: readonly MetricSeries[], metric: string, service = 'payment'): MetricSeries => {
  const found = items.find((one) => one.metric === metric && one.service === service);
  if (!found) throw new Error(`no ${metric} among ${items.map((one) => one.metric).join(', ')}`);
  return found;
};
const at = ({ times, values }: MetricSeries, second: number): number | undefined =>
  values[times.indexOf(START / 1_000 + second)];

describe('metrics of the embedded store', () => {
  it('turns totals into rates and sees through a restart', async () => {
    const store = await openStore();
    const points = seconds(0, 60).map((second) =>
      // 5 a second; set back to zero at second 30.
      counter(START + second * 1_000, second < 30 ? 1_000 + second * 5 : (second - 28) * 5),
    );
    await store.add({ points });
    const { items } = await store.sources.metrics.signals(scope(), never);
    const series = find(items, 'jobs_done_per_second');
    expect(series.times.length).toBeGreaterThan(55);
    for (const value of series.values) expect(value).toBeCloseTo(5, 6);
  });

  it('adds differences up, over a restart of its own as well', async () => {
    const delta = (second: number, value: number) =>
      counter(START + second * 1_000, value, { temporality: 'delta', startMs: START + (second - 2) * 1_000 });
    const first = await openStore();
    await first.add({ points: seconds(2, 20).map((second) => delta(second, 8)) });
    await first.close();
    const store = await openStore();
    expect(await store.add({ points: [delta(20, 8)] })).toMatchObject({ count: 1 });
    await store.add({ points: [...seconds(22, 40).map((second) => delta(second, 8)), delta(50, 30)] });
    const { items } = await store.sources.metrics.signals(scope(), never);
    const series = find(items, 'jobs_done_per_second');
    expect(at(series, 10)).toBeCloseTo(4, 6);
    expect(at(series, 30)).toBeCloseTo(4, 6);
    // Silence is silence, not a slow trickle towards the next difference.
    expect(at(series, 44) ?? 0).toBe(0);
    expect(at(series, 49)).toBeCloseTo(15, 6);
  });

  it('counts a code that appears for the first time from the reading before', async () => {
    const store = await openStore();
    for (const second of seconds(0, 60)) {
      const total = second * 10;
      const points = [served(START + second * 1_000, [0, total, 0, 0])];
      if (second >= 40) {
        const failed = (second - 38) * 5;
        const attributes = { 'http.response.status_code': '503' };
        points.push(served(START + second * 1_000, [0, 0, failed, 0], { attributes }));
      }
      await store.add({ points });
    }
    const { items, asked } = await store.sources.metrics.signals(scope(), never);
    const errors = find(items, 'errors_503_per_second');
    expect(at(errors, 20)).toBe(0);
    expect(at(errors, 39)).toBeCloseTo(5, 6);
    expect(at(errors, 50)).toBeCloseTo(5, 6);
    expect(at(find(items, 'requests_per_second'), 50)).toBeCloseTo(15, 6);
    expect(at(find(items, 'error_ratio'), 50)).toBeCloseTo(1 / 3, 6);
    expect(at(find(items, 'latency_mean_ms'), 20)).toBeCloseTo(50, 6);
    expect(at(find(items, 'latency_p95_ms'), 20)).toBeCloseTo(95.5, 1);
    expect(at(find(items, 'latency_p50_ms'), 50)).toBeGreaterThan(50);
    expect(asked.map(({ query }) => query)).toContain('errors_503_per_second{service="payment"}');
  });

  it('sums instances that send at different instants without a tooth at the end', async () => {
    const store = await openStore();
    const points = seconds(0, 58).flatMap((second) => [
      counter(START + second * 1_000, second * 10, { instance: 'a' }),
      counter(START + second * 1_000 + 900, second * 10, { instance: 'b' }),
    ]);
    await store.add({ points });
    const { items } = await store.sources.metrics.signals(scope(), never);
    const { values } = find(items, 'jobs_done_per_second');
    for (const value of values.slice(2)) expect(value).toBeCloseTo(20, 3);
  });

  it('tells calls to others, pools by state, and versions apart', async () => {
    const store = await openStore();
    const client = {
      name: 'http.client.request.duration',
      attributes: { 'peer.service': 'coupon-service', 'http.response.status_code': '504' },
    };
    const pool = (second: number, state: string, value: number) =>
      counter(START + second * 1_000, value, {
        name: 'db.client.connection.count',
        kind: 'sum',
        monotonic: false,
        attributes: { state },
      });
    for (const second of seconds(0, 60)) {
      const time = START + second * 1_000;
      await store.add({
        points: [
          served(time, [0, second, 0, 0], { version: 'v1' }),
          served(time, [0, 0, 0, second * 2], { attributes: { 'service.version': 'v2', code: '200' } }),
          served(time, [0, 0, second, 0], client),
          pool(second, 'used', 2),
          pool(second, 'idle', 18),
        ],
      });
    }
    const { items } = await store.sources.metrics.signals(scope(), never);
    expect(at(find(items, 'requests_per_second'), 30)).toBeCloseTo(3, 6);
    expect(at(find(items, 'requests_per_second@v1'), 30)).toBeCloseTo(1, 6);
    expect(at(find(items, 'requests_per_second@v2'), 30)).toBeCloseTo(2, 6);
    expect(at(find(items, 'latency_mean_ms@v2'), 30)).toBeCloseTo(2_000, 6);
    expect(at(find(items, 'latency_ms_p95_to_coupon-service'), 30)).toBeCloseTo(955, 0);
    expect(at(find(items, 'errors_per_second_to_coupon-service'), 30)).toBeCloseTo(1, 6);
    expect(at(find(items, 'connection_pool_connections_used'), 30)).toBe(2);
    expect(at(find(items, 'connection_pool_connections_idle'), 30)).toBe(18);
  });

  it('tells machines apart where a service runs on several, and gives it as a whole beside', async () => {
    const store = await openStore();
    const on = (node: string, second: number, buckets: number[]) => [
      served(START + second * 1_000, buckets, { instance: node, attributes: { 'k8s.node.name': node } }),
      counter(START + second * 1_000, node === 'a' ? 0.8 : 0.2, {
        instance: node,
        name: 'container.cpu.pressure',
        kind: 'gauge',
        monotonic: false,
        attributes: { 'k8s.node.name': node, 'k8s.pod.name': `payment-${node}` },
      }),
    ];
    for (const second of seconds(0, 60))
      await store.add({
        points: [...on('a', second, [0, 0, second, 0]), ...on('b', second, [second, 0, 0, 0])],
      });
    const { items, asked } = await store.sources.metrics.signals(scope(), never);
    expect(at(find(items, 'requests_per_second'), 30)).toBeCloseTo(2, 6);
    expect(at(find(items, 'requests_per_second{node="a"}'), 30)).toBeCloseTo(1, 6);
    expect(at(find(items, 'latency_mean_ms{node="a"}'), 30)).toBeCloseTo(500, 6);
    expect(at(find(items, 'latency_mean_ms{node="b"}'), 30)).toBeCloseTo(5, 6);
    expect(at(find(items, 'container_cpu_pressure{node="a"}'), 30)).toBe(0.8);
    expect(at(find(items, 'container_cpu_pressure'), 30)).toBe(0.5);
    const again = asked.find(({ gives }) => gives?.includes('latency_mean_ms{node="a"}'))?.query ?? '';
    expect(again).toBe('latency_mean_ms{service="payment",node="a"}');
    const answer = await store.sources.metrics.query(again, scope(), never);
    expect(answer.items.map(({ metric }) => metric)).toEqual(['latency_mean_ms{node="a"}']);
    const whole = await store.sources.metrics.query('latency_mean_ms{service="payment"}', scope(), never);
    expect(whole.items.map(({ metric }) => metric)).toEqual(['latency_mean_ms']);
    const raw = await store.sources.metrics.query('container.cpu.pressure{node="a"}', scope(), never);
    expect(raw.items.map(({ values }) => values[30])).toEqual([0.8]);
  });

  it('gives at most 240 samples of a window, and as many series as asked for', async () => {
    const store = await openStore();
    await store.add({
      points: seconds(-7_000, 60, 5).map((second) =>
        served(START + second * 1_000, [0, second + 7_000, 0, 0]),
      ),
    });
    const all = await store.sources.metrics.signals({ window: window(START - 7_000_000), limit: 500 }, never);
    const rate = find(all.items, 'requests_per_second');
    expect(rate.times.length).toBeLessThanOrEqual(240);
    expect(rate.times.length).toBeGreaterThan(200);
    for (const value of rate.values) expect(value).toBeCloseTo(1, 6);
    expect(all.cut).toBe(false);
    const few = await store.sources.metrics.signals({ window: window(), limit: 2 }, never);
    expect([few.items.length, few.cut]).toEqual([2, true]);
    const none = await store.sources.metrics.signals(scope({ services: ['order'] }), never);
    expect(none.items).toEqual([]);
  });

  it('answers its small language, and says what it cannot read', async () => {
    const store = await openStore();
    for (const second of seconds(0, 60)) {
      const time = START + second * 1_000;
      const failed = { attributes: { 'http.response.status_code': '503' } };
      await store.add({
        points: [served(time, [0, second * 4, 0, 0]), served(time, [0, 0, second, 0], failed)],
      });
    }
    const ask = (query: string) => store.sources.metrics.query(query, scope(), never);
    const rate = await ask('rate(http.server.request.duration{service="payment",code="503"})');
    expect(rate.items.map(({ metric }) => metric)).toEqual([
      'http.server.request.duration{http.response.status_code="503"}',
    ]);
    expect(rate.items[0]?.values[10]).toBeCloseTo(1, 6);
    expect((await ask('p95(http.server.request.duration{code=~"5.."})')).items[0]?.values[10]).toBeCloseTo(
      955,
      0,
    );
    expect((await ask('errors_503_per_second{service="payment"}')).items).toHaveLength(1);
    expect((await ask('{service="payment"}')).items.length).toBeGreaterThan(5);
    expect((await ask('requests_per_second{service!="payment"}')).items).toEqual([]);
    for (const wrong of [
      '',
      'sum(x)',
      'rate()',
      'x{a=1}',
      'x{a="1"',
      'rate(jobs.gone)',
      'no_such_metric',
      'x{a=~"(a+)+$"}',
    ])
      await expect(ask(wrong), wrong).rejects.toMatchObject({ record: { code: 'input.invalid' } });
  });
});

describe('logs of the embedded store', () => {
  it('finds by service, text, level and trace, without credentials', async () => {
    const store = await openStore();
    await store.add({
      logs: [
        log(START + 1_000, 'charged', { traceId: 'abc', spanId: 'd' }),
        log(START + 2_000, 'connection pool exhausted: 2/2 in use', { level: 'ERROR', severity: 17 }),
        log(START + 3_000, 'ok', { service: 'order' }),
        log(START + 4_000, 'key sk-abcdefghijklmnop1234 refused', {
          attributes: { token: 'ghp_abcdefghijklmnopqrstuvwxyz' },
        }),
      ],
    });
    const { logs } = store.sources;
    const texts = async (more: object) =>
      (await logs.lines(scope(more), never)).items.map(({ message }) => message);
    expect(await texts({ services: ['order'] })).toEqual(['ok']);
    expect(await texts({ text: 'POOL exhausted' })).toEqual(['connection pool exhausted: 2/2 in use']);
    expect(JSON.stringify((await logs.lines(scope(), never)).items)).not.toMatch(/sk-abc|ghp_abc/);
    const query = async (text: string) => (await logs.query(text, scope(), never)).items.length;
    expect(await query('{service="payment",level="error"}')).toBe(1);
    expect(await query('{service="payment"} |= "charged"')).toBe(1);
    expect(await query('{trace_id="abc"}')).toBe(1);
    expect(await query('exhausted')).toBe(1);
    await expect(query('{service="payment"} | json')).rejects.toMatchObject({
      record: { code: 'input.invalid' },
    });
    await expect(query('{pod="x"}')).rejects.toMatchObject({ record: { code: 'input.invalid' } });
    const { asked } = await logs.lines(scope({ services: ['payment', 'order'] }), never);
    expect(await query(asked[0]?.query ?? '')).toBe(4);
  });

  it('keeps what sounds bad when not all fit, and of the rest some of every time', async () => {
    const store = await openStore();
    const quiet = seconds(0, 59, 1).flatMap((second) =>
      [0, 1, 2, 3].map((n) => log(START + second * 1_000 + n, `ok ${second}`)),
    );
    const bad = seconds(5, 14, 1).map((second) =>
      log(START + second * 1_000, 'it failed', { severity: 0, level: undefined }),
    );
    await store.add({ logs: [...quiet, ...bad] });
    const { items, cut } = await store.sources.logs.lines(scope({ limit: 50, errorsFirst: true }), never);
    expect(items.filter(({ message }) => message === 'it failed')).toHaveLength(10);
    expect(items.length).toBeLessThanOrEqual(50);
    expect(cut).toBe(true);
    const times = items.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(45);
  });
});

describe('traces of the embedded store', () => {
  it('gives whole traces, those with errors first, and the calls between services', async () => {
    const store = await openStore();
    const trace = (id: string, error: boolean, startMs: number) => [
      span(id, '1', 'payment', { startMs, error }),
      span(id, '2', 'payment', { startMs, parentId: '1', peer: 'coupon' }),
      span(id, '3', 'coupon', { startMs, parentId: '2', error }),
      span(id, '4', 'coupon', { startMs, parentId: '3', peer: 'coupon-db' }),
    ];
    // The spans of a service come in a request of their own.
    const all = seconds(0, 9, 1).flatMap((second) =>
      trace(`t${second}`, second === 7, START + second * 1_000),
    );
    await store.add({ spans: all.filter(({ service }) => service === 'coupon') });
    await store.add({ spans: all.filter(({ service }) => service === 'payment') });
    await store.add({ spans: all.filter(({ service }) => service === 'payment') });
    const { traces } = store.sources;
    const some = await traces.spans(scope({ limit: 12 }), never);
    expect(some.items.slice(0, 4).map(({ traceId }) => traceId)).toEqual(['t7', 't7', 't7', 't7']);
    expect(some.items).toHaveLength(12);
    expect(some.cut).toBe(true);
    const bad = await traces.spans(scope({ errorsOnly: true }), never);
    expect(bad.items.map(({ spanId }) => spanId)).toEqual(['1', '2', '3', '4']);
    expect((await traces.spans(scope({ services: ['coupon'] }), never)).items).toHaveLength(40);
    expect((await traces.spans(scope({ services: ['order'] }), never)).items).toEqual([]);
    const { edges } = await traces.topology(scope(), never);
    expect(edges).toHaveLength(2);
    expect(edges).toEqual(
      expect.arrayContaining([
        { from: 'payment', to: 'coupon' },
        { from: 'coupon', to: 'coupon-db' },
      ]),
    );
  });
});

describe('the file of the embedded store', () => {
  it('outlives a restart, is private, and is shared within a process', async () => {
    const [one, other] = [await openStore(), await openStore()];
    await one.add({ logs: [log(START, 'first')] });
    expect((await other.sources.logs.lines(scope(), never)).items).toHaveLength(1);
    await one.close();
    await one.close();
    await other.add({ logs: [log(START, 'second')] });
    await other.close();
    const later = await openStore();
    expect((await later.sources.logs.lines(scope(), never)).items).toHaveLength(2);
    expect((await stat(join(folder, 'telemetry.db'))).mode & 0o777).toBe(0o600);
  });

  it('refuses what is too old, what is of tomorrow, and too many series', async () => {
    const store = await openStore({ maxSeries: 3 });
    const times = [NOW - 7 * 3_600_000, NOW + 3_600_000, NOW];
    expect(await store.add({ logs: times.map((time) => log(time, 'x')) })).toMatchObject({ count: 2 });
    const many = seconds(0, 9, 1).map((n) => counter(NOW, n, { attributes: { user: String(n) } }));
    const rejected = await store.add({ points: many });
    expect(rejected.count).toBe(7);
    expect(rejected.why).toContain('beyond 3 series');
  });

  it('removes what has become too old', async () => {
    const store = await openStore({ maxAgeMs: 600_000 });
    const old = { startMs: START };
    await store.add({
      logs: [log(START, 'old')],
      spans: [span('t', '1', 'payment', old)],
      points: [counter(START, 1)],
    });
    clock = NOW + 600_000;
    await store.add({ logs: [log(clock, 'new')] });
    await store.prune();
    const wide = { window: window(START, clock), limit: 100 };
    const { logs, traces, metrics } = store.sources;
    expect((await logs.lines(wide, never)).items.map(({ message }) => message)).toEqual(['new']);
    expect((await traces.spans(wide, never)).items).toEqual([]);
    expect((await metrics.query('{service="payment"}', wide, never)).items).toEqual([]);
    // A series that went and comes back is a new one.
    await store.add({ points: [counter(clock, 1), counter(clock + 2_000, 3)] });
    const later = { window: window(clock - 1_000, clock + 5_000), limit: 100 };
    expect((await metrics.query('rate(jobs.done)', later, never)).items[0]?.values[0]).toBeCloseTo(1, 6);
  });

  it('stays within its size by letting the oldest go', async () => {
    const store = await openStore({ maxBytes: 2_000_000 });
    const text = 'x'.repeat(900);
    for (let round = 0; round < 40; round++) {
      const from = START + round * 1_000;
      await store.add({
        logs: Array.from({ length: 100 }, (_, n) => log(from + n, `${text} ${round} ${n}`)),
      });
    }
    expect(store.bytes()).toBeGreaterThan(2_000_000);
    await store.prune();
    expect(store.bytes()).toBeLessThanOrEqual(2_000_000);
    expect((await stat(join(folder, 'telemetry.db'))).size).toBeLessThan(4_500_000);
    const { items } = await store.sources.logs.lines(scope({ limit: 10_000 }), never);
    expect(items.length).toBeGreaterThan(500);
    expect(items.at(-1)?.message).toContain('39 99');
    expect(items[0]?.message).not.toContain(' 0 0');
  });

  it('begins anew beside a damaged file', async () => {
    await writeFile(join(folder, 'telemetry.db'), 'this was a database once, and is none now. '.repeat(50));
    const store = await openStore();
    await store.add({ logs: [log(START, 'here')] });
    expect((await store.sources.logs.lines(scope(), never)).items).toHaveLength(1);
    expect((await stat(join(folder, 'telemetry.db.damaged'))).size).toBeGreaterThan(0);
  });

  it('stops reading when it is told to', async () => {
    const store = await openStore();
    await store.add({ logs: [log(START, 'x')], points: [counter(START, 1)] });
    const stopped = AbortSignal.abort(new Error('enough'));
    const { metrics, logs, traces } = store.sources;
    await expect(metrics.signals(scope(), stopped)).rejects.toThrow('enough');
    await expect(logs.lines(scope(), stopped)).rejects.toThrow('enough');
    await expect(traces.spans(scope(), stopped)).rejects.toThrow('enough');
  });
});

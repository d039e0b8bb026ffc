import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LokiEntry, type LokiServer, startLokiServer } from '#testkit/loki-server';
import {
  describeLogsSource,
  describeRemoteTelemetry,
  remoteOpener,
  SAMPLE_LINES,
  SAMPLE_WINDOW,
  startFaultProxy,
} from '#testkit/telemetry-contract';
import { telemetry } from './loki.ts';

const signal = new AbortController().signal;
const window = SAMPLE_WINDOW;
const open = remoteOpener(telemetry);
const stampOf = (seconds: number): bigint => BigInt(Math.round(seconds * 1e6)) * 1_000n;

/** Three ways in which services write the same. */
const SAMPLE: readonly LokiEntry[] = SAMPLE_LINES.map(({ time, service, level, message, traceId }, at) => {
  const stamp = stampOf(time);
  const labels = { service_name: service, cluster: 'one' };
  if (service === 'order-service')
    return { labels, stamp, line: `level=${level} msg=${JSON.stringify(message)} rows=1` };
  const line = JSON.stringify({ level: level === 'error' ? 50 : level, msg: message, trace_id: traceId });
  return at % 2 === 0
    ? { labels, stamp, line }
    : { labels, stamp, line: message, metadata: { detected_level: level ?? '', trace_id: traceId ?? '' } };
});

describe('loki', () => {
  let server: LokiServer;
  beforeAll(async () => {
    server = await startLokiServer(SAMPLE);
  });
  afterAll(() => server.close());

  describeLogsSource('loki', () => open(server.url));
  describeRemoteTelemetry('loki', open, () => server.url);

  const linesOf = async (entries: readonly LokiEntry[], more = {}, scope = {}, most?: number) => {
    const small = await startLokiServer(entries, most);
    const { logs, close } = await open(small.url, more);
    const answer = await logs?.lines({ window, limit: 100, ...scope }, signal);
    await close();
    await small.close();
    return {
      items: answer?.items ?? [],
      asked: answer?.asked ?? [],
      cut: answer?.cut,
      queries: small.queries,
    };
  };
  const entry = (line: string, labels: Record<string, string> = { app: 'pay' }, at = 60): LokiEntry => ({
    labels,
    line,
    stamp: stampOf(Date.parse(window.start) / 1_000 + at),
  });

  it('finds a service by whichever label holds its name', async () => {
    const entries = [entry('a', { app: 'pay' }), entry('b', { job: 'cart' }), entry('c', { job: 'else' })];
    const { items } = await linesOf(entries, {}, { services: ['pay', 'cart'] });
    expect(items.map(({ service, message }) => `${service} ${message}`).toSorted()).toEqual([
      'cart b',
      'pay a',
    ]);
  });

  it('finds a service by the labels of the settings', async () => {
    const entries = [entry('a', { app: 'p', env: 'prod' }), entry('b', { app: 'p', env: 'test' })];
    const services = { 'payment-service': { app: 'p', env: 'prod' } };
    const { items } = await linesOf(entries, { services }, { services: ['payment-service'] });
    expect(items).toMatchObject([{ service: 'payment-service', message: 'a' }]);
  });

  it('reads levels, traces, causes and attributes', async () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { items } = await linesOf([
      entry('{"severity":"WARN","message":"slow","err":{"message":"pool exhausted"},"rows":3}', undefined, 1),
      entry(`2026-05-04 12:00:02 ERROR [main] refused traceId=${id}`, undefined, 2),
      entry('password reset a=b', undefined, 3),
      entry('{"broken', undefined, 4),
      entry('{"msg":"key is sk-abcdefghijklmnop1234"}', undefined, 5),
    ]);
    expect(items).toMatchObject([
      { level: 'warn', message: 'slow: pool exhausted', attributes: { rows: 3 } },
      { level: 'error', traceId: id },
      { message: 'password reset a=b' },
      { message: '{"broken' },
      { message: 'key is [secret:key]' },
    ]);
  });

  it('takes some of every part of the window when there is too much', async () => {
    const entries = Array.from({ length: 60 }, (_, at) => entry(`line ${at}`, undefined, at * 30));
    const { items, cut } = await linesOf(entries, { max_lines: 20 }, { limit: 12 }, 20);
    expect(items).toHaveLength(12);
    expect(cut).toBe(true);
    const quarters = new Set(
      items.map(({ time }) => Math.floor((time - Date.parse(window.start) / 1_000) / 450)),
    );
    expect(quarters.size).toBe(4);
  });

  it('never asks for more than Loki gives', async () => {
    const entries = Array.from({ length: 60 }, (_, at) => entry(`line ${at}`, undefined, at * 30));
    const { items, cut, queries } = await linesOf(entries, { max_lines: 20 }, { limit: 1_000 }, 20);
    expect(queries.every((query) => Number(query.get('limit')) <= 20)).toBe(true);
    expect(items.length).toBeGreaterThan(10);
    expect(cut).toBe(true);
  });

  it('takes a text literally', async () => {
    const entries = [entry('cost is $5 (net) "a|b"'), entry('cost is 55 net')];
    const { items } = await linesOf(entries, {}, { text: '$5 (NET) "a|b"' });
    expect(items).toHaveLength(1);
  });

  it('takes names of services as they are', async () => {
    const { items, asked } = await linesOf([entry('a')], {}, { services: ['p.*', 'x"} |= "'] });
    expect(items).toEqual([]);
    expect(asked.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it('shows that a service has no lines', async () => {
    const { items, asked } = await linesOf([entry('a')], {}, { services: ['nobody'] });
    expect(items).toEqual([]);
    expect(asked).toMatchObject([{ query: '{app=~"nobody"}', found: 0 }]);
  });

  it('answers a query in LogQL', async () => {
    const { logs, close } = await open(server.url);
    const scope = { window, limit: 50, services: ['payment-service'] };
    const answer = await logs?.query('{cluster="one"} |= "pool"', scope, signal);
    expect(answer?.items.length).toBe(10);
    expect(answer?.asked[0]?.link).toContain('/explore?left=');
    const numbers = logs?.query('count_over_time({cluster="one"}[5m])', scope, signal);
    await expect(numbers).rejects.toMatchObject({ record: { code: 'input.invalid' } });
    const wrong = logs?.query('nonsense', scope, signal);
    await expect(wrong).rejects.toThrow(/parse error/);
    await close();
  });

  it('names its tenant', async () => {
    const proxy = await startFaultProxy(server.url);
    const { logs, close } = await open(proxy.url, { tenant: 'team-a' }, proxy.token);
    await logs?.lines({ window, limit: 5 }, signal);
    expect(proxy.requests.every(({ headers }) => headers['x-scope-orgid'] === 'team-a')).toBe(true);
    await close();
    await proxy.close();
  });
});

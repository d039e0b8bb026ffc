import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FinishedSpan } from '#spec/ports';
import { openOtlpExporter, type OtlpExporterOptions } from './open-otlp-exporter.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly names: readonly string[];
  readonly body: Wire;
}
interface Wire {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly object[] };
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[];
  }[];
}
interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** It comes when this resolves. */
  readonly after?: Promise<unknown>;
}

/** A receiver that answers as it is told, one answer after the other, and then takes everything. */
async function receiver(...answers: Answer[]) {
  const received: Received[] = [];
  let woken: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const raw = Buffer.concat(chunks);
      const packed = incoming.headers['content-encoding'] === 'gzip';
      const body = JSON.parse((packed ? gunzipSync(raw) : raw).toString()) as Wire;
      const names = body.resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)),
      );
      received.push({ path: incoming.url ?? '', headers: incoming.headers, names, body });
      const { status, headers = {}, body: said = {}, after } = answers.shift() ?? { status: 200 };
      void Promise.resolve(after).then(() => {
        outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
        outgoing.end(JSON.stringify(said));
      });
      for (const wake of woken.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    received,
    /** Resolves when so many requests have come. */
    until: async (count: number) => {
      while (received.length < count) await new Promise<void>((resolve) => (woken = [...woken, resolve]));
    },
  };
}

const span = (name: string, more: Partial<FinishedSpan> = {}): FinishedSpan => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name,
  kind: 'internal',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_007,
  attributes: {},
  ...more,
});

function open(url: string, more: Partial<OtlpExporterOptions> = {}) {
  const troubles: string[] = [];
  const exporter = openOtlpExporter({
    url,
    headers: {},
    compress: true,
    timeoutMs: 5_000,
    resource: { 'service.name': 'hermes' },
    scope: { name: 'hermes', version: '1' },
    backoff: () => 5,
    everyMs: 5,
    onTrouble: (message) => troubles.push(message),
    ...more,
  });
  onTestFinished(() => exporter.close());
  return { ...exporter, troubles };
}
const counted = (exporter: { counts(): ReadonlyMap<string, number> }) =>
  Object.fromEntries(exporter.counts());

describe('spans are sent', () => {
  it('as OTLP has them in JSON, zipped, with the headers that were asked for', async () => {
    const there = await receiver();
    const exporter = open(there.url, { headers: { 'x-api-key': 'k-1' } });
    const attributes = { text: 'a', whole: 3, part: 0.5, yes: true, many: ['x', 'y'], none: undefined };
    exporter.add(
      span('one', { parentId: '00f067aa0ba902b7', kind: 'server', attributes, error: 'model.auth' }),
    );
    await exporter.close();
    expect(there.received).toHaveLength(1);
    const [{ headers, path, body } = { headers: {}, path: '', body: undefined }] = there.received;
    expect(path).toBe('/v1/traces');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-api-key': 'k-1',
    });
    expect(body).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'hermes' } }] },
          scopeSpans: [
            {
              scope: { name: 'hermes', version: '1' },
              spans: [
                {
                  traceId: '0af7651916cd43dd8448eb211c80319c',
                  spanId: 'b7ad6b7169203331',
                  parentSpanId: '00f067aa0ba902b7',
                  flags: 1,
                  name: 'one',
                  kind: 2,
                  startTimeUnixNano: '1700000000000250000',
                  endTimeUnixNano: '1700000000007000000',
                  attributes: [
                    { key: 'text', value: { stringValue: 'a' } },
                    { key: 'whole', value: { intValue: '3' } },
                    { key: 'part', value: { doubleValue: 0.5 } },
                    { key: 'yes', value: { boolValue: true } },
                    {
                      key: 'many',
                      value: { arrayValue: { values: [{ stringValue: 'x' }, { stringValue: 'y' }] } },
                    },
                    { key: 'error.type', value: { stringValue: 'model.auth' } },
                  ],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
    });
    expect(counted(exporter)).toEqual({ exported: 1 });
  });

  it('in batches: when enough have come, and soon after the first', async () => {
    const there = await receiver();
    const exporter = open(there.url, { batch: 2, everyMs: 60_000 });
    for (const name of ['a', 'b', 'c']) exporter.add(span(name));
    await there.until(2);
    expect(there.received.map(({ names }) => names)).toEqual([['a', 'b'], ['c']]);
    const slow = open(there.url, { everyMs: 10 });
    slow.add(span('d'));
    await there.until(3);
    expect(there.received.at(-1)?.names).toEqual(['d']);
  });
});

describe('a receiver that does not take them', () => {
  it.each([429, 502, 503, 504])('is asked again after %s', async (status) => {
    const there = await receiver({ status }, { status });
    const exporter = open(there.url);
    exporter.add(span('one'));
    await there.until(3);
    await exporter.close();
    expect(counted(exporter)).toEqual({ exported: 1 });
    expect(exporter.troubles).toEqual([`Traces cannot be sent to ${there.url}: it answered ${status}.`]);
  });

  it('is left alone for as long as it says', async () => {
    const there = await receiver({ status: 503, headers: { 'retry-after': '1' } });
    const exporter = open(there.url);
    exporter.add(span('one'));
    await there.until(1);
    const asked = performance.now();
    await there.until(2);
    expect(performance.now() - asked).toBeGreaterThan(900);
  });

  it.each([400, 401, 404, 302])('is believed with %s, and gets the next ones', async (status) => {
    const there = await receiver({ status, headers: { location: 'http://127.0.0.1:1/elsewhere' } });
    const exporter = open(there.url, { batch: 1 });
    exporter.add(span('one'));
    exporter.add(span('two'));
    await there.until(2);
    await exporter.close();
    expect(there.received.map(({ names }) => names)).toEqual([['one'], ['two']]);
    expect(counted(exporter)).toEqual({ refused: 1, exported: 1 });
  });

  it('may take a part', async () => {
    const there = await receiver({ status: 200, body: { partialSuccess: { rejectedSpans: '2' } } });
    const exporter = open(there.url, { batch: 3 });
    for (const name of ['a', 'b', 'c']) exporter.add(span(name));
    await exporter.close();
    expect(counted(exporter)).toEqual({ exported: 1, refused: 2 });
  });

  it('is given up after seven times, and told of once', async () => {
    const there = await receiver(...Array.from({ length: 7 }, () => ({ status: 503 })));
    const exporter = open(there.url, { batch: 1 });
    exporter.add(span('one'));
    exporter.add(span('two'));
    await there.until(8);
    await exporter.close();
    expect(counted(exporter)).toEqual({ unreachable: 1, exported: 1 });
    expect(exporter.progress()).toEqual({ taken: 2, done: 2 });
    expect(exporter.troubles).toHaveLength(1);
  });

  it('is believed with 200, also when the rest of its answer never comes', async () => {
    const there = await receiver({ status: 200, headers: { 'content-length': '100000' } });
    const exporter = open(there.url, { timeoutMs: 200 });
    exporter.add(span('one'));
    await there.until(1);
    await vi.waitFor(() => expect(counted(exporter)).toEqual({ exported: 1 }));
    expect(there.received).toHaveLength(1);
  });

  it('makes nobody wait: what does not fit is dropped and counted', async () => {
    let answer: (() => void) | undefined;
    const after = new Promise<void>((resolve) => (answer = resolve));
    const there = await receiver({ status: 200, after });
    const exporter = open(there.url, { batch: 1, queue: 2 });
    exporter.add(span('sent'));
    await there.until(1);
    for (const name of ['a', 'b', 'c', 'd']) exporter.add(span(name));
    expect(counted(exporter)).toEqual({ queue_full: 2 });
    answer?.();
    await exporter.close();
    expect(counted(exporter)).toEqual({ queue_full: 2, exported: 3 });
    expect(exporter.progress()).toEqual({ taken: 3, done: 3 });
  });
});

describe('closing', () => {
  it('leaves a span behind that can be told again, and with it all that came after', async () => {
    const there = await receiver({ status: 200 }, { status: 503 }, { status: 503 });
    const exporter = open(there.url, { batch: 1, backoff: () => 60_000 });
    exporter.add(span('one'));
    exporter.add(span('two'));
    await there.until(2);
    exporter.add(span('three'));
    await exporter.close();
    expect(counted(exporter)).toEqual({ exported: 2, closed: 1 });
    expect(exporter.progress()).toEqual({ taken: 3, done: 1 });
  });

  it('sends what is left, and does not wait for a retry', async () => {
    const there = await receiver({ status: 503 });
    const exporter = open(there.url, { backoff: () => 60_000 });
    exporter.add(span('one'));
    await there.until(1);
    exporter.add(span('two'));
    await exporter.close();
    expect(counted(exporter)).toEqual({ exported: 2 });
    exporter.add(span('late'));
    expect(counted(exporter)).toEqual({ exported: 2, closed: 1 });
  });

  it('ends in time when nobody answers', async () => {
    const there = await receiver({ status: 200, after: new Promise(() => undefined) });
    const exporter = open(there.url, { batch: 1, closeMs: 100 });
    exporter.add(span('one'));
    exporter.add(span('two'));
    const began = performance.now();
    await exporter.close();
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(counted(exporter)).toEqual({ closed: 2 });
    expect(exporter.progress()).toEqual({ taken: 2, done: 0 });
  });

  it('is quick where nobody listens', async () => {
    const exporter = open('http://127.0.0.1:1/v1/traces');
    exporter.add(span('one'));
    await exporter.close();
    expect(counted(exporter)).toEqual({ closed: 1 });
    expect(exporter.troubles.join()).toContain('http://127.0.0.1:1/v1/traces');
  });
});

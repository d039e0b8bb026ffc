import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpanRecord } from '#spec/data';
import type { TracesSource } from '#spec/ports';
import type { OpenedTelemetry } from '#spec/ports';
import { SAMPLE_SPANS, SAMPLE_WINDOW } from './sample-telemetry.ts';

const signal = new AbortController().signal;
const window = SAMPLE_WINDOW;
const [FROM, TO] = [Date.parse(window.start) / 1_000, Date.parse(window.end) / 1_000];
const WITHIN = SAMPLE_SPANS.filter(({ start }) => start >= FROM && start <= TO);

const plain = ({
  traceId,
  spanId,
  parentId,
  service,
  operation,
  start,
  durationMs,
  error,
  status,
}: SpanRecord) => ({
  traceId,
  spanId,
  parentId: parentId ?? null,
  service,
  operation,
  start: Math.round(start * 1e6) / 1e6,
  durationMs,
  error: error ?? false,
  status,
});
const sorted = (spans: readonly SpanRecord[]) =>
  spans
    .map(plain)
    .toSorted((one, other) => (one.traceId + one.spanId < other.traceId + other.spanId ? -1 : 1));

/** What every source of traces does with the sample (`SAMPLE_SPANS`). */
export function describeTracesSource(name: string, open: () => Promise<OpenedTelemetry>): void {
  describe(`traces of ${name}`, () => {
    let opened: OpenedTelemetry;
    let source: TracesSource;
    beforeAll(async () => {
      opened = await open();
      if (!opened.traces) throw new Error(`${name} has no traces`);
      source = opened.traces;
    });
    afterAll(() => opened.close());

    const traceIds = (spans: readonly SpanRecord[]) => new Set(spans.map(({ traceId }) => traceId));

    it('gives the spans of the window with their parents', async () => {
      const { items, cut } = await source.spans({ window, limit: 10_000 }, signal);
      const withinTraces = traceIds(WITHIN);
      expect(sorted(items)).toEqual(sorted(SAMPLE_SPANS.filter(({ traceId }) => withinTraces.has(traceId))));
      expect(cut).toBe(false);
    });

    it('gives the failed ones alone, as whole traces', async () => {
      const { items } = await source.spans({ window, limit: 10_000, errorsOnly: true }, signal);
      const failed = traceIds(WITHIN.filter(({ error }) => error));
      expect(failed.size).toBeGreaterThan(2);
      expect(traceIds(items)).toEqual(failed);
      expect(items).toHaveLength(failed.size * 3);
    });

    it('never gives half a trace', async () => {
      const { items, cut } = await source.spans({ window, limit: 10 }, signal);
      expect(cut).toBe(true);
      expect(items.length).toBeLessThanOrEqual(10);
      expect(items.length).toBeGreaterThan(0);
      expect(items.length).toBe(traceIds(items).size * 3);
    });

    it('gives traces that a service takes part in', async () => {
      const { items } = await source.spans({ window, services: ['order-service'], limit: 10_000 }, signal);
      expect(items.some(({ service }) => service === 'order-service')).toBe(true);
      expect((await source.spans({ window, services: ['nobody'], limit: 9 }, signal)).items).toEqual([]);
    });

    it('tells who calls whom', async () => {
      const { edges } = await source.topology({ window, limit: 1_000 }, signal);
      expect(edges).toContainEqual({ from: 'payment-service', to: 'order-service' });
      expect(edges.every(({ from, to }) => from !== to)).toBe(true);
    });
  });
}

/** What every backend of spans does with a failure of which it is not told a status, and with a callee that sent no spans. */
export function describeBareFailure(
  start: (spans: readonly SpanRecord[]) => Promise<{ readonly url: string; close(): Promise<void> }>,
  open: (url: string) => Promise<OpenedTelemetry>,
): void {
  it('sees a failure that has no code', async () => {
    const [first] = SAMPLE_SPANS.filter((span) => span.start > FROM);
    if (!first) throw new Error('no sample');
    const { status: _, ...failed } = { ...first, error: true, attributes: { 'peer.service': 'bank' } };
    const server = await start([failed]);
    const { traces, close } = await open(server.url);
    const answer = await traces?.spans({ window, limit: 10, errorsOnly: true }, signal);
    expect(answer?.items).toMatchObject([{ error: true }]);
    const topology = await traces?.topology({ window, limit: 10 }, signal);
    expect(topology?.edges).toEqual([{ from: first.service, to: 'bank' }]);
    await close();
    await server.close();
  });
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MetricSeries } from '#spec/data';
import type { MetricsSource } from '#spec/ports';
import type { OpenedTelemetry } from '#spec/ports';
import { SAMPLE_FAULT_AT, SAMPLE_SERVICES, SAMPLE_WINDOW } from './sample-telemetry.ts';

const signal = new AbortController().signal;
const [FROM, TO] = [Date.parse(SAMPLE_WINDOW.start) / 1_000, Date.parse(SAMPLE_WINDOW.end) / 1_000];
/** Rates look back for a while. */
const SETTLED = 120;

/** What every source of metrics does with the sample (`SAMPLE_METRICS`). */
export function describeMetricsSource(name: string, open: () => Promise<OpenedTelemetry>): void {
  describe(`metrics of ${name}`, () => {
    let opened: OpenedTelemetry;
    let source: MetricsSource;
    beforeAll(async () => {
      opened = await open();
      if (!opened.metrics) throw new Error(`${name} has no metrics`);
      source = opened.metrics;
    });
    afterAll(() => opened.close());

    const all = () => source.signals({ window: SAMPLE_WINDOW, limit: 1_000 }, signal);
    const seriesOf = (items: readonly MetricSeries[], service: string, metric: string) => {
      const found = items.find((series) => series.service === service && series.metric === metric);
      if (!found)
        throw new Error(`no ${metric} of ${service} in ${items.map((one) => one.metric).join(' ')}`);
      const level = (within: (time: number) => boolean) => {
        const values = found.values.filter((_, at) => within(found.times[at] as number));
        return values.reduce((sum, value) => sum + value, 0) / values.length;
      };
      return {
        before: level((time) => time < SAMPLE_FAULT_AT),
        after: level((time) => time > SAMPLE_FAULT_AT + SETTLED),
      };
    };

    it('knows the services', async () => {
      const { items } = await all();
      const names = new Set(items.map(({ service }) => service));
      for (const service of SAMPLE_SERVICES) expect(names).toContain(service);
    });

    it('gives rates, failures and latency with the right numbers', async () => {
      const { items } = await all();
      const requests = seriesOf(items, 'payment-service', 'requests_per_second');
      expect(requests.before).toBeCloseTo(10, 0);
      const codes = seriesOf(items, 'payment-service', 'errors_503_per_second');
      expect(codes.before).toBe(0);
      expect(codes.after).toBeCloseTo(3, 1);
      const ratio = seriesOf(items, 'payment-service', 'error_ratio');
      expect(ratio.before).toBe(0);
      expect(ratio.after).toBeCloseTo(0.3, 1);
      const p95 = seriesOf(items, 'payment-service', 'latency_p95_ms');
      expect(p95.before).toBeLessThan(60);
      expect(p95.after).toBeGreaterThan(500);
      const mean = seriesOf(items, 'payment-service', 'latency_mean_ms');
      expect(mean.before).toBeCloseTo(40, 0);
      expect(mean.after).toBeCloseTo(800, -1);
    });

    it('has samples of the window only, in order, and no holes as numbers', async () => {
      const { items } = await all();
      for (const { times, values } of items) {
        expect(values.length).toBe(times.length);
        expect(times.length).toBeGreaterThan(0);
        expect(times.length).toBeLessThanOrEqual(240);
        expect(Math.min(...times)).toBeGreaterThanOrEqual(FROM);
        expect(Math.max(...times)).toBeLessThanOrEqual(TO);
        expect(times.toSorted((one, other) => one - other)).toEqual(times);
        expect(values.every(Number.isFinite)).toBe(true);
      }
    });

    it('gives each metric of a service once', async () => {
      const { items } = await all();
      const keys = items.map(({ service, metric }) => `${service} ${metric}`);
      expect(new Set(keys).size).toBe(keys.length);
    });

    it('gives only the services that are asked for', async () => {
      const { items } = await source.signals(
        { window: SAMPLE_WINDOW, services: ['order-service'], limit: 1_000 },
        signal,
      );
      expect(new Set(items.map(({ service }) => service))).toEqual(new Set(['order-service']));
      expect(seriesOf(items, 'order-service', 'requests_per_second').after).toBeCloseTo(10, 0);
      const nobody = await source.signals({ window: SAMPLE_WINDOW, services: ['nobody'], limit: 9 }, signal);
      expect(nobody.items).toEqual([]);
    });

    it('holds the limit and says so', async () => {
      const { items, cut } = await source.signals({ window: SAMPLE_WINDOW, limit: 3 }, signal);
      expect(items).toHaveLength(3);
      expect(cut).toBe(true);
      expect((await all()).cut).toBe(false);
    });

    it('says what it asked, and which metrics came of it', async () => {
      const { asked } = await all();
      expect(asked.some(({ gives }) => gives?.includes('errors_503_per_second'))).toBe(true);
      expect(asked.every(({ query, problem }) => query !== '' && problem === undefined)).toBe(true);
    });
  });
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogsSource } from '#spec/ports';
import type { OpenedTelemetry } from '#spec/ports';
import { SAMPLE_FAULT_AT, SAMPLE_LINES, SAMPLE_WINDOW } from './sample-telemetry.ts';

const signal = new AbortController().signal;
const window = SAMPLE_WINDOW;
const [FROM, TO] = [Date.parse(window.start) / 1_000, Date.parse(window.end) / 1_000];
const WITHIN = SAMPLE_LINES.filter(({ time }) => time >= FROM && time <= TO);
const COMPLAINTS = WITHIN.filter(({ level }) => level === 'error');

/** What every source of logs does with the sample (`SAMPLE_LINES`). */
export function describeLogsSource(name: string, open: () => Promise<OpenedTelemetry>): void {
  describe(`logs of ${name}`, () => {
    let opened: OpenedTelemetry;
    let source: LogsSource;
    beforeAll(async () => {
      opened = await open();
      if (!opened.logs) throw new Error(`${name} has no logs`);
      source = opened.logs;
    });
    afterAll(() => opened.close());

    it('gives the lines of the window, in order, with what they say', async () => {
      const { items, cut, asked } = await source.lines({ window, limit: 1_000 }, signal);
      const told = items.map(({ time, service, level, message, traceId }) => ({
        time,
        service,
        level,
        message,
        ...(traceId === undefined ? {} : { traceId }),
      }));
      expect(told).toEqual(WITHIN.toSorted((one, other) => one.time - other.time));
      expect(cut).toBe(false);
      expect(asked.length).toBeGreaterThan(0);
    });

    it('gives only the services that are asked for', async () => {
      const { items } = await source.lines({ window, services: ['order-service'], limit: 1_000 }, signal);
      expect(items.map(({ service }) => service)).toEqual(
        WITHIN.filter(({ service }) => service === 'order-service').map(({ service }) => service),
      );
      expect((await source.lines({ window, services: ['nobody'], limit: 9 }, signal)).items).toEqual([]);
    });

    it('finds a text', async () => {
      const { items } = await source.lines({ window, text: 'pool exhausted: 2/2', limit: 1_000 }, signal);
      expect(items.map(({ time }) => time)).toEqual(COMPLAINTS.map(({ time }) => time));
    });

    it('holds the limit and says so', async () => {
      const { items, cut } = await source.lines({ window, limit: 8 }, signal);
      expect(items).toHaveLength(8);
      expect(cut).toBe(true);
    });

    it('keeps complaints first when not all fit', async () => {
      const limit = COMPLAINTS.length + 4;
      const { items, cut } = await source.lines({ window, limit, errorsFirst: true }, signal);
      expect(items).toHaveLength(limit);
      expect(items.filter(({ level }) => level === 'error')).toHaveLength(COMPLAINTS.length);
      expect(cut).toBe(true);
    });

    it('gives nothing of before the fault that complains', async () => {
      const calm = { start: window.start, end: new Date((SAMPLE_FAULT_AT - 1) * 1_000).toISOString() };
      const { items } = await source.lines({ window: calm, limit: 1_000, text: 'exhausted' }, signal);
      expect(items).toEqual([]);
    });
  });
}

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Change } from '#spec/data';
import type { ChangesSource, OpenedTelemetry, TelemetryScope } from '#spec/ports';
import { AppError } from '#kit/app-error';
import type { ApiFault } from '#testkit/api-faults';

export interface ChangesUnderTest {
  open(): Promise<OpenedTelemetry>;
  /** A service with two deploys, the second of which replaced what the first brought. */
  readonly service: string;
  /** When they were, in milliseconds since the epoch. They are at least two seconds apart. */
  readonly times: readonly [number, number];
  /** How many changes of other services there are besides. */
  readonly others: number;
  /** What the backend is told to do wrong; absent where there is no backend. */
  fail?(fault: ApiFault | undefined): void;
  readonly secret?: string;
  close(): Promise<void>;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const REMOTE_FAULTS = [
  ['unauthorized', /^backend\.refused$/],
  ['forbidden', /^backend\.refused$/],
  ['failing', /^backend\./],
  ['malformed', /^backend\.bad_response$/],
  ['unknown_shape', /^backend\.bad_response$/],
  ['slow', /^backend\.unreachable$/],
  ['cut', /^backend\.unreachable$/],
] as const satisfies readonly (readonly [ApiFault, RegExp])[];

/** A source that answers within a second or gives up. */
export function describeChangesSource(
  name: string,
  isRemote: boolean,
  start: () => Promise<ChangesUnderTest>,
): void {
  describe(`changes of ${name}`, () => {
    let under: ChangesUnderTest;
    let opened: Awaited<ReturnType<ChangesUnderTest['open']>>;
    let source: ChangesSource;
    beforeAll(async () => {
      under = await start();
      opened = await under.open();
      if (!opened.changes) throw new Error(`${name} has no changes`);
      source = opened.changes;
    });
    afterEach(() => under.fail?.(undefined));
    afterAll(async () => {
      await opened.close();
      await under.close();
    });

    const signal = new AbortController().signal;
    const scope = (more: Partial<TelemetryScope> = {}): TelemetryScope => ({
      window: { start: iso(under.times[0] - 1_000), end: iso(under.times[1] + 1_000) },
      limit: 100,
      ...more,
    });

    it('gives what was done, in order, with where it came from and where it led', async () => {
      const { items, cut, asked } = await source.changes(scope({ services: [under.service] }), signal);
      expect(items.map(({ time }) => Math.floor(Date.parse(time) / 1_000))).toEqual(
        under.times.map((time) => Math.floor(time / 1_000)),
      );
      for (const item of items) {
        expect(Change.safeParse(item).success).toBe(true);
        expect(item).toMatchObject({ kind: 'deploy', service: under.service });
        expect(item.summary.length).toBeGreaterThan(10);
      }
      const [first, second] = items;
      expect(first?.id).not.toBe(second?.id);
      expect(second?.details).toMatchObject({ from: first?.details?.['to'] });
      expect(second?.details?.['to']).not.toBe(first?.details?.['to']);
      expect(cut).toBe(false);
      expect(asked.some(({ query, found }) => query !== '' && found === 2)).toBe(true);
    });

    it('gives all services where none is named, and nothing of a stranger', async () => {
      const { items } = await source.changes(scope(), signal);
      expect(items).toHaveLength(2 + under.others);
      expect((await source.changes(scope({ services: ['nobody'] }), signal)).items).toEqual([]);
    });

    it('keeps to the window', async () => {
      const [first, second] = under.times;
      const own = { services: [under.service] };
      const late = { start: iso(first + 1_000), end: iso(second + 1_000) };
      expect((await source.changes(scope({ ...own, window: late }), signal)).items).toHaveLength(1);
      const between = { start: iso(first + 1_000), end: iso(second - 1_000) };
      expect((await source.changes(scope({ ...own, window: between }), signal)).items).toEqual([]);
      await expect(
        source.changes(scope({ window: { start: late.end, end: late.start } }), signal),
      ).rejects.toMatchObject({ record: { code: 'input.invalid' } });
    });

    it('holds the limit, keeps the newest, and says so', async () => {
      const { items, cut } = await source.changes(scope({ services: [under.service], limit: 1 }), signal);
      expect(items.map(({ time }) => Math.floor(Date.parse(time) / 1_000))).toEqual([
        Math.floor(under.times[1] / 1_000),
      ]);
      expect(cut).toBe(true);
    });

    it('gives the same for the same question', async () => {
      const plain = async () => (await source.changes(scope(), signal)).items;
      expect(await plain()).toEqual(await plain());
    });

    it('stops when it is told to', async () => {
      const enough = new Error('enough');
      await expect(source.changes(scope(), AbortSignal.abort(enough))).rejects.toBe(enough);
    });

    it.each(isRemote ? REMOTE_FAULTS : [])('tells what is wrong: %s', async (fault, code) => {
      under.fail?.(fault);
      const thrown = await source.changes(scope(), signal).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(AppError);
      const { record } = thrown as AppError;
      expect(record.code).toMatch(code);
      expect(JSON.stringify(record)).not.toContain(under.secret ?? 'no secret');
      expect(record.message).not.toMatch(/<html|sk-abcdef/);
      under.fail?.(undefined);
      expect((await source.changes(scope(), signal)).items.length).toBeGreaterThan(0);
    });

    it('is asked itself by its probe', async () => {
      expect(await opened.probe(signal)).toMatchObject({ state: 'reached' });
    });

    it.each(isRemote ? REMOTE_FAULTS : [])('tells by its probe what is wrong: %s', async (fault, code) => {
      under.fail?.(fault);
      const thrown = await opened.probe(signal).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(AppError);
      expect((thrown as AppError).record.code).toMatch(code);
      expect(JSON.stringify((thrown as AppError).record)).not.toContain(under.secret ?? 'no secret');
    });

    it('shows no key', async () => {
      const shown = JSON.stringify(await source.changes(scope(), signal));
      if (under.secret) expect(shown).not.toContain(under.secret);
      expect(shown.length).toBeGreaterThan(100);
    });
  });
}

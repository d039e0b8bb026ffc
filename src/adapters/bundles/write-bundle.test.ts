import fc from 'fast-check';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MetricSeries, Telemetry } from '#spec/data';
import { callTraces, sampleSystem } from '#testkit/bundles';
import { readBundle } from './read-bundle.ts';
import { writeBundle } from './write-bundle.ts';

const name = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .map((text) => `${text.replace(/[\r\n]/g, '')}x`);
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const time = fc.integer({ min: 1, max: 2_000_000_000 });
const instant = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString());
const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((found) => (found === undefined ? {} : { [key]: found }));

const series = fc
  .record({
    service: name,
    metric: name,
    samples: fc.uniqueArray(fc.tuple(time, number), { minLength: 1, selector: ([at]) => at }),
  })
  .map(({ service, metric, samples }): MetricSeries => {
    const rising = samples.toSorted((one, other) => one[0] - other[0]);
    return { service, metric, times: rising.map(([at]) => at), values: rising.map(([, value]) => value) };
  });
const line = fc
  .tuple(
    fc.record({ time: number, service: name, message: fc.string({ unit: 'grapheme' }) }),
    optional('traceId', name),
    optional('attributes', fc.record({ 'http.status': fc.integer() })),
  )
  .map((parts) => Object.assign({}, ...parts) as Telemetry['logs'][number]);
const span = fc
  .tuple(
    fc.record({
      traceId: name,
      spanId: name,
      parentId: fc.option(name, { nil: null }),
      service: name,
      operation: name,
      start: number,
      durationMs: number,
    }),
    optional('error', fc.boolean()),
    optional('status', fc.oneof(name, fc.integer())),
  )
  .map((parts) => Object.assign({}, ...parts) as Telemetry['spans'][number]);
const change = fc.record({
  id: name,
  kind: fc.constantFrom('deploy', 'config'),
  service: name,
  time: instant,
  summary: fc.string(),
});
const parts = fc.record({
  metrics: fc.uniqueArray(series, { selector: (one) => `${one.service}\n${one.metric}` }),
  logs: fc.array(line),
  spans: fc.array(span),
});

describe('writeBundle', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'write-bundle-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  const { bundle } = sampleSystem();

  it('is read back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        parts,
        optional('changes', fc.array(change)),
        optional('topology', fc.record({ edges: fc.array(fc.record({ from: name, to: name })) })),
        async (told, changes, topology) => {
          const telemetry = { bundle, ...told, ...changes, ...topology } as Telemetry;
          const folder = join(root, 'case');
          await writeBundle(folder, telemetry);
          expect(await readBundle(folder)).toEqual(telemetry);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('carries a whole system', async () => {
    const telemetry = { ...sampleSystem(), ...callTraces({ calls: 500 }), changes: [] };
    await writeBundle(join(root, 'a', 'case'), telemetry);
    expect(await readBundle(join(root, 'a', 'case'))).toEqual(telemetry);
  });

  it('leaves out what the format cannot say, and files that were put in already', async () => {
    const metrics = [
      { service: 'a\nb', metric: 'm', times: [1, 2, 3], values: [1, Number.NaN, Number.POSITIVE_INFINITY] },
      { service: '', metric: 'm', times: [1], values: [1] },
    ];
    const include = ['../../common/metrics.csv.gz'];
    await writeBundle(join(root, 'case'), { bundle: { ...bundle, include }, metrics, logs: [], spans: [] });
    const read = await readBundle(join(root, 'case'));
    expect(read.metrics).toEqual([{ service: 'a b', metric: 'm', times: [1], values: [1] }]);
    expect(read.bundle).toEqual(bundle);
  });

  it('replaces a bundle, and leaves nothing of it or of itself', async () => {
    const target = join(root, 'case');
    await writeBundle(target, { ...sampleSystem(), changes: [] });
    await writeBundle(target, { bundle: { ...bundle, id: 'second' }, metrics: [], logs: [], spans: [] });
    expect(await readdir(target)).toEqual(['incident.json']);
    expect(await readdir(root)).toEqual(['case']);
    expect((await readBundle(target)).bundle.id).toBe('second');
  });

  it('touches no folder that holds something else', async () => {
    const target = join(root, 'documents');
    await mkdir(target);
    await writeFile(join(target, 'letter.txt'), 'dear');
    const telemetry = sampleSystem();
    await expect(writeBundle(target, telemetry)).rejects.toThrow(/holds other files/);
    await writeFile(join(target, 'incident.json'), '{}');
    await expect(writeBundle(target, telemetry)).rejects.toThrow(/holds other files/);
    await expect(writeBundle(join(target, 'letter.txt'), telemetry)).rejects.toThrow(/is not a folder/);
    expect(await readFile(join(target, 'letter.txt'), 'utf8')).toBe('dear');
    expect(await readdir(root)).toEqual(['documents']);
  });

  it('leaves the old bundle and no draft when it fails in the middle', async () => {
    const target = join(root, 'case');
    await writeBundle(target, sampleSystem());
    const logs = [{ time: 1, service: 'a', message: 'm', attributes: { big: 1n } }];
    await expect(writeBundle(target, { bundle, metrics: [], logs, spans: [] })).rejects.toThrow(/BigInt/);
    expect(await readdir(root)).toEqual(['case']);
    expect((await readBundle(target)).metrics.length).toBeGreaterThan(0);
  });

  it('is private', async () => {
    await writeBundle(join(root, 'case'), sampleSystem());
    expect((await stat(join(root, 'case'))).mode & 0o077).toBe(0);
  });
});

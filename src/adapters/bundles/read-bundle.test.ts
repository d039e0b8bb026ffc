import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTraces, sampleSystem, writeBundle } from '#testkit/bundles';
import { readBundle } from './read-bundle.ts';

describe('readBundle', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const put = (name: string, text: string): Promise<void> =>
    writeFile(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text);

  it('gives back what was written', async () => {
    const telemetry = { ...sampleSystem(), ...callTraces({ calls: 3 }), changes: [] };
    await writeBundle(join(folder, 'case'), telemetry);
    const read = await readBundle(join(folder, 'case'));
    const byName = (
      one: { service: string; metric: string },
      other: { service: string; metric: string },
    ): number => (`${one.service} ${one.metric}` < `${other.service} ${other.metric}` ? -1 : 1);
    expect({ ...read, metrics: read.metrics.toSorted(byName) }).toEqual({
      ...telemetry,
      metrics: telemetry.metrics.toSorted(byName),
    });
  });

  it('leaves out what is not there, and reads included files once', async () => {
    const { bundle, metrics } = sampleSystem();
    await put('metrics.csv', 'time,service,metric,value\n1,db,cpu,5\n');
    const include = ['../metrics.csv'];
    await writeBundle(join(folder, 'case'), {
      bundle: { ...bundle, include },
      metrics: metrics.slice(0, 1),
      logs: [],
      spans: [],
    });
    const shared = new Map<string, Promise<unknown>>();
    const read = await readBundle(join(folder, 'case'), { shared });
    expect(read.changes).toBeUndefined();
    expect(read.topology).toBeUndefined();
    expect(read.metrics.map(({ service, metric }) => `${service}.${metric}`)).toContain('db.cpu');
    await rm(join(folder, 'metrics.csv'));
    await expect(readBundle(join(folder, 'case'), { shared })).resolves.toMatchObject({
      bundle: { id: 'sample' },
    });
    await expect(readBundle(join(folder, 'case'))).rejects.toThrow(/metrics\.csv: is included but not there/);
  });

  it('puts a series of two files together in order of time', async () => {
    const { bundle } = sampleSystem();
    await put('metrics.csv.gz', 'time,service,metric,value\n30,db,cpu,3\n10,db,cpu,1\n');
    const own = { service: 'db', metric: 'cpu', times: [20, 40], values: [2, 4] };
    const include = ['../metrics.csv.gz'];
    await writeBundle(join(folder, 'case'), {
      bundle: { ...bundle, include },
      metrics: [own],
      logs: [],
      spans: [],
    });
    const { metrics } = await readBundle(join(folder, 'case'));
    expect(metrics).toEqual([
      { service: 'db', metric: 'cpu', times: [10, 20, 30, 40], values: [1, 2, 3, 4] },
    ]);
  });

  it.each([
    [
      'metrics.csv',
      'time,service,metric,value\n1,db,cpu,5\nsoon,db,cpu,6\n',
      /metrics\.csv, line 3: 'soon' is not a time/,
    ],
    [
      'metrics.csv',
      'time,service,metric,value\n1,db,cpu\n',
      /metrics\.csv, line 2: does not have four cells/,
    ],
    ['metrics.csv', 'when,who\n', /metrics\.csv, line 1: begins with 'when,who'/],
    [
      'logs.ndjson.gz',
      '{"time":1,"service":"a","message":"b"}\n{oops\n',
      /logs\.ndjson\.gz, line 2: is not JSON/,
    ],
    ['spans.ndjson', '{"traceId":"a"}\n', /spans\.ndjson, line 1: .* at 'spanId'/],
    [
      'changes.json',
      '[{"id":"x","kind":"party","time":"2026-01-01T00:00:00Z","summary":""}]',
      /changes\.json: .* at '0\.kind'/,
    ],
    ['topology.json', '{}', /topology\.json: .* at 'edges'/],
  ])('names file and line of what does not read in %s', async (name, text, message) => {
    await put('incident.json', JSON.stringify(sampleSystem().bundle));
    await put(name, text);
    await expect(readBundle(folder)).rejects.toThrow(message);
  });

  it('takes null for a field that was left out', async () => {
    await put('incident.json', JSON.stringify({ ...sampleSystem().bundle, metric: null }));
    await put('logs.ndjson', '{"time":1,"service":"a","message":"b","level":null}\n');
    const { bundle, logs } = await readBundle(folder);
    expect(bundle.metric).toBeUndefined();
    expect(logs).toEqual([{ time: 1, service: 'a', message: 'b' }]);
  });

  it('takes names with commas and quotes, and no value as no sample', async () => {
    await put('incident.json', JSON.stringify(sampleSystem().bundle));
    await put('metrics.csv', 'time,service,metric,value\n1,"a,""b""",cpu,5\n2,c,cpu,\n');
    const { metrics } = await readBundle(folder);
    expect(metrics).toEqual([{ service: 'a,"b"', metric: 'cpu', times: [1], values: [5] }]);
  });

  it('refuses what is no bundle, overlapping windows, and half a gzip file', async () => {
    await expect(readBundle(folder)).rejects.toThrow(/incident\.json: is not there/);
    const { bundle } = sampleSystem();
    await put(
      'incident.json',
      JSON.stringify({ ...bundle, baseline: bundle.incident, incident: bundle.baseline }),
    );
    await expect(readBundle(folder)).rejects.toThrow(/windows overlap/);
    await put('incident.json', JSON.stringify(bundle));
    await writeFile(join(folder, 'logs.ndjson.gz'), gzipSync('{"time":1}'.repeat(500)).subarray(0, 30));
    await expect(readBundle(folder)).rejects.toThrow(/logs\.ndjson\.gz: is not a whole gzip file/);
  });
});

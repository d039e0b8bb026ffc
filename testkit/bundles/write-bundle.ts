import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Telemetry } from '#spec/data';

/** Telemetry as a bundle on disk. What is empty is left out. */
export async function writeBundle(folder: string, telemetry: Telemetry): Promise<void> {
  const { bundle, metrics, logs, spans, changes, topology } = telemetry;
  await mkdir(folder, { recursive: true });
  const put = (name: string, text: string): Promise<void> =>
    writeFile(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text);
  const lines = (records: readonly unknown[]): string =>
    records.map((record) => `${JSON.stringify(record)}\n`).join('');
  await put('incident.json', JSON.stringify(bundle));
  if (metrics.length) {
    const rows = metrics.flatMap(({ service, metric, times, values }) =>
      times.map((time, index) => `${time},${service},${metric},${values[index]}`),
    );
    await put('metrics.csv.gz', `time,service,metric,value\n${rows.join('\n')}\n`);
  }
  if (logs.length) await put('logs.ndjson.gz', lines(logs));
  if (spans.length) await put('spans.ndjson.gz', lines(spans));
  if (changes) await put('changes.json', JSON.stringify(changes));
  if (topology) await put('topology.json', JSON.stringify(topology));
}

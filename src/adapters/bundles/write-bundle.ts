import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fail } from '#kit/app-error';
import type { MetricSeries, Telemetry } from '#spec/data';

const FILES = new Set([
  'incident.json',
  'metrics.csv.gz',
  'logs.ndjson.gz',
  'spans.ndjson.gz',
  'changes.json',
  'topology.json',
]);
/** Lines that are packed in one go: few enough to be small, enough not to be slow. */
const BATCH = 2_000;

/**
 * Telemetry as an incident bundle, readable by `readBundle`: there whole or not at all. A bundle that stands there is
 * replaced; a folder that holds anything else is refused with `input.conflict`. `include` is left out, because what it
 * named is in the telemetry already. What the format cannot say is left out too: samples that are no number, and series
 * without a name; a line break in a name becomes a blank.
 */
export async function writeBundle(folder: string, telemetry: Telemetry): Promise<void> {
  const target = resolve(folder);
  const parent = dirname(target);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const mark = randomBytes(6).toString('hex');
  const draft = join(parent, `.${basename(target)}.${mark}.tmp`);
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFiles(draft, telemetry);
    await syncFolder(draft);
    await putInPlace(draft, target, join(parent, `.${basename(target)}.${mark}.old`));
    await syncFolder(parent);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function writeFiles(folder: string, telemetry: Telemetry): Promise<void> {
  const { bundle, metrics, logs, spans, changes, topology } = telemetry;
  const { include: _, ...header } = bundle;
  const put = (name: string, pieces: Iterable<string>): Promise<void> =>
    writeText(join(folder, name), pieces);
  if (metrics.length) await put('metrics.csv.gz', metricRows(metrics));
  if (logs.length) await put('logs.ndjson.gz', jsonLines(logs));
  if (spans.length) await put('spans.ndjson.gz', jsonLines(spans));
  if (changes) await put('changes.json', [`${JSON.stringify(changes, undefined, 1)}\n`]);
  if (topology) await put('topology.json', [`${JSON.stringify(topology, undefined, 1)}\n`]);
  await put('incident.json', [`${JSON.stringify(header, undefined, 1)}\n`]);
}

/** On disk when it resolves. Packed where the name says so. */
async function writeText(path: string, pieces: Iterable<string>): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const file = handle.createWriteStream({ flush: true });
    const text = Readable.from(pieces, { objectMode: false });
    await (path.endsWith('.gz') ? pipeline(text, createGzip(), file) : pipeline(text, file));
  } finally {
    await handle.close();
  }
}

function* metricRows(metrics: readonly MetricSeries[]): Generator<string> {
  yield 'time,service,metric,value\n';
  for (const { service, metric, times, values } of metrics) {
    const name = `${cell(service)},${cell(metric)}`;
    if (!service.trim() || !metric.trim()) continue;
    yield times
      .flatMap((time, index) => {
        const value = values[index] ?? Number.NaN;
        return Number.isFinite(time) && Number.isFinite(value) ? [`${time},${name},${value}\n`] : [];
      })
      .join('');
  }
}

/** A name as CSV quotes it. A row is one line. */
function cell(name: string): string {
  const line = name.replace(/[\r\n]+/g, ' ');
  return /[",]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

function* jsonLines(records: readonly unknown[]): Generator<string> {
  for (let from = 0; from < records.length; from += BATCH) {
    yield records
      .slice(from, from + BATCH)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('');
  }
}

/** A folder takes the place of an empty one at once; a bundle has to step aside first. */
async function putInPlace(draft: string, target: string, aside: string): Promise<void> {
  const found = await readdir(target).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [] as string[];
    throw fail('input.conflict', `${target} is not a folder.`, 'Choose another place.', cause);
  });
  if (!found.length) return rename(draft, target);
  if (!found.includes('incident.json') || found.some((name) => !FILES.has(name))) {
    throw fail(
      'input.conflict',
      `${target} holds other files than an incident bundle.`,
      'Choose an empty folder, or one that does not exist yet.',
    );
  }
  await rename(target, aside);
  try {
    await rename(draft, target);
  } catch (cause) {
    await rename(aside, target);
    throw cause;
  }
  await rm(aside, { recursive: true, force: true });
}

/** Makes names durable, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

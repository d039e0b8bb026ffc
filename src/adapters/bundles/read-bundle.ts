import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { Change, IncidentBundle, LogLine, SpanRecord, type Telemetry, Topology } from '#spec/data';
import { MOST_INCLUDES } from './limits.ts';
import { malformed } from './malformed.ts';
import { mergeSeries } from './merge-series.ts';
import { parseJson, parseLines } from './parse-lines.ts';
import { parseMetrics } from './parse-metrics.ts';
import { readText } from './read-text.ts';

interface ReadBundleOptions {
  /**
   * Holds what was parsed from included files, by path, between calls: many bundles of one system include the same
   * ones. Without it every call reads them again.
   */
  readonly shared?: Map<string, Promise<unknown>>;
}

/** What a file of this base name holds. Each also comes packed, with `.gz` after its name. */
const PARSERS = {
  'metrics.csv': (text: string, path: string) => parseMetrics(text, path),
  'logs.ndjson': (text: string, path: string) => parseLines(text, path, LogLine),
  'spans.ndjson': (text: string, path: string) => parseLines(text, path, SpanRecord),
  'changes.json': (text: string, path: string) => parseJson(text, path, z.array(Change)),
  'topology.json': (text: string, path: string) => parseJson(text, path, Topology),
} as const;
type FileName = keyof typeof PARSERS;
type Parsed<N extends FileName> = ReturnType<(typeof PARSERS)[N]>;

/** One incident from its folder. Throws `input.invalid` with file and line where something does not read. */
export async function readBundle(folder: string, options: ReadBundleOptions = {}): Promise<Telemetry> {
  const header = join(folder, 'incident.json');
  const text = await readText(header);
  if (text === undefined) throw malformed(header, undefined, 'is not there: this is not an incident bundle');
  const bundle = parseJson(text, header, IncidentBundle);
  checkWindows(bundle, header);
  const includes = (bundle.include ?? []).map((path) => resolve(folder, path));
  if (includes.length > MOST_INCLUDES) {
    throw malformed(header, undefined, `includes more than ${MOST_INCLUDES} files`);
  }
  const read = async <N extends FileName>(name: N): Promise<Parsed<N>[]> => {
    const own = await readNamed(join(folder, name), name);
    const found: Parsed<N>[] = own === undefined ? [] : [own];
    for (const path of includes) {
      if (nameOf(path) === name) found.push(await readIncluded(path, name, options.shared));
    }
    return found;
  };
  for (const path of includes) {
    if (!nameOf(path))
      throw malformed(header, undefined, `includes '${basename(path)}', which no bundle has`);
  }
  const changes = await read('changes.json');
  const topologies = await read('topology.json');
  return {
    bundle,
    metrics: mergeSeries(await read('metrics.csv')),
    logs: (await read('logs.ndjson')).flat(),
    spans: (await read('spans.ndjson')).flat(),
    ...(changes.length ? { changes: changes.flat() } : {}),
    ...(topologies.length ? { topology: { edges: topologies.flatMap(({ edges }) => edges) } } : {}),
  };
}

function checkWindows({ baseline, incident }: IncidentBundle, path: string): void {
  const [from, until, start, end] = [baseline.start, baseline.end, incident.start, incident.end].map(
    Date.parse,
  );
  const ordered = [from, until, start, end].every(
    (time, index, all) => !index || (all[index - 1] ?? 0) <= (time ?? 0),
  );
  if (!ordered) throw malformed(path, undefined, 'its windows overlap, or one ends before it starts');
}

const nameOf = (path: string): FileName | undefined => {
  const name = basename(path).replace(/\.gz$/, '');
  return Object.hasOwn(PARSERS, name) ? (name as FileName) : undefined;
};

/** The packed file, or the plain one beside it; a bundle has one of the two. */
async function readNamed<N extends FileName>(path: string, name: N): Promise<Parsed<N> | undefined> {
  for (const candidate of [`${path}.gz`, path]) {
    const text = await readText(candidate);
    if (text !== undefined) return PARSERS[name](text, candidate) as Parsed<N>;
  }
  return undefined;
}

async function readIncluded<N extends FileName>(
  path: string,
  name: N,
  shared: Map<string, Promise<unknown>> | undefined,
): Promise<Parsed<N>> {
  const known = shared?.get(path);
  if (known) return known as Promise<Parsed<N>>;
  const reading = readText(path).then((text) => {
    if (text === undefined) throw malformed(path, undefined, 'is included but not there');
    return PARSERS[name](text, path) as Parsed<N>;
  });
  shared?.set(path, reading);
  return reading;
}

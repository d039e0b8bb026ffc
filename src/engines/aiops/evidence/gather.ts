import type { Change, LogLine, MetricSeries, SpanRecord, TimeWindow, Topology } from '#spec/data';
import type { Collected, TelemetryScope, TelemetrySources } from '#spec/ports';
import { type Answer, askSource } from './ask-source.ts';
import type { AskedKind } from './asked-record.ts';
import type { Collecting } from './collecting.ts';

/** What the three large questions gave. */
export interface Gathered {
  readonly metrics: readonly Answer<MetricSeries>[];
  readonly logs: readonly Answer<LogLine>[];
  readonly traces: readonly Answer<SpanRecord>[];
}

/** What is the same for every backend of a kind. */
interface Inquiry<Kind extends keyof TelemetrySources, T> {
  readonly kind: Kind;
  readonly windows: readonly TimeWindow[];
  readonly limit: number;
  readonly services?: readonly string[] | undefined;
  ask(
    source: NonNullable<TelemetrySources[Kind]>,
    scope: TelemetryScope,
    signal: AbortSignal,
  ): Promise<Collected<T>>;
}

/** Metrics over both windows at once, so that their samples are alike; lines and spans of each, so that both have some. */
export async function gather(
  collecting: Collecting,
  services: readonly string[] | undefined,
): Promise<Gathered> {
  const { limits, windows } = collecting;
  const both = [windows.incident, windows.baseline];
  const [metrics, logs, traces] = await Promise.all([
    askAll<'metrics', MetricSeries>(collecting, {
      kind: 'metrics',
      windows: [windows.whole],
      limit: limits.series,
      services,
      ask: (source, scope, signal) => source.signals(scope, signal),
    }),
    askAll<'logs', LogLine>(collecting, {
      kind: 'logs',
      windows: both,
      limit: limits.lines,
      services,
      ask: (source, scope, signal) => source.lines({ ...scope, errorsFirst: true }, signal),
    }),
    askAll<'traces', SpanRecord>(collecting, {
      kind: 'traces',
      windows: both,
      limit: limits.spans,
      services,
      ask: (source, scope, signal) => source.spans(scope, signal),
    }),
  ]);
  return { metrics, logs, traces };
}

/** Changes of all services: there are few, and the guilty one may be of a service that nobody thinks of. */
export const gatherChanges = (collecting: Collecting): Promise<Answer<Change>[]> =>
  askAll<'changes', Change>(collecting, {
    kind: 'changes',
    windows: [collecting.windows.changes],
    limit: collecting.limits.changes,
    ask: (source, scope, signal) => source.changes(scope, signal),
  });

type Edge = Topology['edges'][number];

export const gatherEdges = ({ request, limits, windows, signal }: Collecting): Promise<Answer<Edge>[]> =>
  Promise.all(
    request.sources.flatMap(({ traces: source }) => {
      if (!source) return [];
      const ask = async (stop: AbortSignal): Promise<Collected<Edge>> => {
        const { edges } = await source.topology({ window: windows.whole, limit: limits.spans }, stop);
        return { items: edges, asked: [], cut: false };
      };
      const about = { source: source.name, kind: 'topology', window: windows.whole } as const;
      return [askSource({ ...about, ms: limits.topologyMs, ask }, request.now, signal)];
    }),
  );

async function askAll<Kind extends keyof TelemetrySources & AskedKind, T>(
  collecting: Collecting,
  inquiry: Inquiry<Kind, T>,
): Promise<Answer<T>[]> {
  const answers = await Promise.all(
    collecting.request.sources.flatMap((sources) => {
      const source = sources[inquiry.kind];
      return source ? inquiry.windows.map((window) => askWide(collecting, inquiry, source, window)) : [];
    }),
  );
  return answers.flat();
}

/** Where more is there than fits, the alerting services are asked for again by themselves, and come first. */
async function askWide<Kind extends keyof TelemetrySources & AskedKind, T>(
  { request, signal, own, limits }: Collecting,
  { kind, limit, services, ask }: Inquiry<Kind, T>,
  source: NonNullable<TelemetrySources[Kind]>,
  window: TimeWindow,
): Promise<Answer<T>[]> {
  const put = async (asked: readonly string[] | undefined): Promise<Answer<T>> => {
    const scope = { window, limit, ...(asked ? { services: asked } : {}) };
    const answer = await askSource<T>(
      { source: source.name, kind, window, ms: limits.sourceMs, ask: (stop) => ask(source, scope, stop) },
      request.now,
      signal,
    );
    request.report?.(`${source.name} (${kind}): ${answer.problem?.en ?? `${answer.items.length} found`}`);
    return answer;
  };
  const wide = await put(services);
  const isNarrow = services !== undefined && services.every((service) => own.includes(service));
  return wide.cut && own.length && !isNarrow && kind !== 'changes' ? [await put(own), wide] : [wide];
}

import { healthOf } from '#engines/aiops';
import { messageOf, toErrorRecord } from '#kit/app-error';
import { joinTexts, tell, type Text, uniqueTexts } from '#kit/text';
import type * as api from '#spec/api';
import type { LogLine, MetricSeries, SpanRecord, TimeWindow, Topology } from '#spec/data';
import type { Collected, TelemetrySources } from '#spec/ports';
import type { HomeIncidents } from '../incidents/home-incidents.ts';
import type { Dependencies } from '../dependencies.ts';
import { redactDeep } from '#kit/redact';
import { sharedAnswers } from '#kit/shared-answers';

type Monitoring = api.Given<api.Monitoring>;

type SeriesQuery = api.Given<api.SeriesQuery>;

export interface HostMonitoring {
  overview(minutes: number): Promise<Monitoring>;
  logs(asked: {
    readonly service?: string;
    readonly text?: string;
    readonly minutes: number;
    readonly limit: number;
  }): Promise<readonly LogLine[]>;
  traces(asked: {
    readonly service?: string;
    readonly errors: boolean;
    readonly minutes: number;
    readonly limit: number;
  }): Promise<readonly SpanRecord[]>;
}

const SHARED_MS = 2_000;
const ANSWER_MS = 10_000;
const MOST_SERIES = 2_000;
const MOST_CHANGES = 500;
const MINUTE_MS = 60_000;

type Kind = 'metrics' | 'logs' | 'traces' | 'changes';
const KIND_ZH: Readonly<Record<Kind, string>> = {
  metrics: '指标',
  logs: '日志',
  traces: '链路',
  changes: '变更',
};

/** How the observed system does, out of the backends of the home. Everyone who looks within two seconds sees the same. */
export async function openMonitoring(
  { redactor }: Pick<Dependencies, 'redactor'>,
  { backends }: Pick<HomeIncidents, 'backends'>,
  now: () => number = Date.now,
): Promise<HostMonitoring> {
  const secrets = (await redactor()).secrets;
  const { sources } = backends;
  const overviews = sharedAnswers<Monitoring>(SHARED_MS, now);
  const lines = sharedAnswers<readonly LogLine[]>(SHARED_MS, now);
  const spans = sharedAnswers<readonly SpanRecord[]>(SHARED_MS, now);
  const last = (minutes: number) => windowOf(now() - minutes * MINUTE_MS, now());
  return {
    overview: (minutes) =>
      overviews(String(minutes), async () => redactDeep(await look(backends, minutes, now()), secrets)),
    logs: ({ service, text, minutes, limit }) =>
      lines(JSON.stringify([service, text, minutes, limit]), async () => {
        const scope = { window: last(minutes), limit, ...scoped(service), ...(text ? { text } : {}) };
        const found = await gather(sources, 'logs', ({ logs }) => logs?.lines(scope, inTime()));
        return redactDeep(
          cut(found.items, limit, ({ time }) => time),
          secrets,
        );
      }),
    traces: ({ service, errors, minutes, limit }) =>
      spans(JSON.stringify([service, errors, minutes, limit]), async () => {
        const scope = { window: last(minutes), limit, ...scoped(service), errorsOnly: errors };
        const found = await gather(sources, 'traces', ({ traces }) => traces?.spans(scope, inTime()));
        return redactDeep(
          cut(found.items, limit, ({ start }) => start),
          secrets,
        );
      }),
  };
}

async function look(backends: HomeIncidents['backends'], minutes: number, now: number): Promise<Monitoring> {
  const { sources } = backends;
  const since = now - minutes * MINUTE_MS;
  const window = windowOf(since, now);
  // The window before is what "as usual" means.
  const both = { window: windowOf(since - minutes * MINUTE_MS, now), limit: MOST_SERIES };
  const [metrics, changes, topology, running] = await Promise.all([
    gather(sources, 'metrics', (source) => source.metrics?.signals(both, inTime())),
    gather(sources, 'changes', (source) =>
      source.changes?.changes({ window, limit: MOST_CHANGES }, inTime()),
    ),
    gather(sources, 'traces', (source) =>
      source.traces
        ?.topology({ window, limit: MOST_SERIES }, inTime())
        .then(({ edges }) => ({ items: edges, asked: [], cut: false })),
    ),
    backends.running(inTime()),
  ]);
  const shown = metrics.items.map((series) => after(series, since / 1_000));
  const known = new Set([
    ...metrics.items.map(({ service }) => service),
    ...topology.items.flatMap(({ from, to }) => [from, to]),
    ...Object.keys(running),
  ]);
  const judged = new Map(healthOf(metrics.items, since / 1_000).map((each) => [each.service, each]));
  return {
    window,
    services: [...known]
      .filter(Boolean)
      .toSorted()
      .map((service) => ({
        ...(judged.get(service) ?? { service, health: 'unknown' as const }),
        versions: running[service]?.versions ?? [],
      })),
    series: shown.filter(({ times }) => times.length > 0),
    queries: metrics.queries,
    changes: changes.items.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time)),
    topology: { edges: distinct(topology.items) },
    gaps: [...metrics.gaps, ...changes.gaps, ...topology.gaps],
  };
}

interface Gathered<T> {
  readonly items: readonly T[];
  readonly queries: readonly SeriesQuery[];
  readonly gaps: readonly Text[];
}

const gapOf = (name: string, why: Text): Text => joinTexts([name, why], { en: ': ', zh: ':' });

/** From every backend of a kind. One that fails is a gap, not the end. */
async function gather<T>(
  sources: readonly TelemetrySources[],
  kind: Kind,
  ask: (source: TelemetrySources) => Promise<Collected<T>> | undefined,
): Promise<Gathered<T>> {
  const asked = sources.filter((source) => source[kind] !== undefined);
  if (asked.length === 0)
    return {
      items: [],
      queries: [],
      gaps: [tell(`No backend gives ${kind}.`, `没有后端提供${KIND_ZH[kind]}。`)],
    };
  const answers = await Promise.all(
    asked.map(async (source): Promise<Gathered<T>> => {
      const name = source[kind]?.name ?? kind;
      try {
        const found = await ask(source);
        const problems = (found?.asked ?? []).flatMap(({ problem }) => problem ?? []);
        const cutShort = found?.cut
          ? [
              tell(
                `${name}: there are more ${kind} than are shown.`,
                `${name}：${KIND_ZH[kind]}太多，未全部显示。`,
              ),
            ]
          : [];
        return {
          items: found?.items ?? [],
          queries: (found?.asked ?? []).map(({ query, link, gives = [] }) => ({
            source: name,
            query,
            ...(link === undefined ? {} : { link }),
            gives,
          })),
          gaps: [...uniqueTexts(problems).map((why) => gapOf(name, why)), ...cutShort],
        };
      } catch (thrown) {
        return { items: [], queries: [], gaps: [gapOf(name, messageOf(toErrorRecord(thrown)))] };
      }
    }),
  );
  return {
    items: answers.flatMap(({ items }) => items),
    queries: answers.flatMap(({ queries }) => queries),
    gaps: answers.flatMap(({ gaps }) => gaps),
  };
}

const inTime = (): AbortSignal => AbortSignal.timeout(ANSWER_MS);
const scoped = (service: string | undefined) => (service ? { services: [service] } : {});
const windowOf = (start: number, end: number): TimeWindow => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

function after({ service, metric, times, values }: MetricSeries, since: number): MetricSeries {
  const found = times.findIndex((time) => time >= since);
  const from = found < 0 ? times.length : found;
  return { service, metric, times: times.slice(from), values: values.slice(from) };
}

/** Newest first, at most so many. */
const cut = <T>(items: readonly T[], limit: number, at: (item: T) => number): readonly T[] =>
  items.toSorted((one, other) => at(other) - at(one)).slice(0, limit);

const distinct = (edges: readonly Topology['edges'][number][]): Topology['edges'] => [
  ...new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge])).values(),
];

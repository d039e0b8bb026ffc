import { z } from 'zod';
import type { MetricSeries } from '#spec/data';
import { type Collected, defineTelemetry, type MetricsSource, type TelemetryScope } from '#spec/ports';
import { CATALOGUE } from './signals/index.ts';
import { askAll } from '../wire/ask-all.ts';
import { connectionSettings, LabelNames, missingKey, ServiceLabels } from '../wire/connection-settings.ts';
import { SERVICE_LABELS } from '../wire/label-names.ts';
import { openConnection } from '../wire/open-connection.ts';
import { collectSignals, namedSeries } from './collect-signals.ts';
import { type Discovered, discover } from './discover.ts';
import { type PrometheusApi, prometheusApi, type RawSeries } from './prometheus-api.ts';
import { planRange } from './range-plan.ts';
import { signalQueries } from './signal-queries.ts';
import type { SignalQuery } from './signal-query.ts';
import { quoted } from '../wire/query-text.ts';
import { remember } from '../wire/remember.ts';
import { windowMs } from '../wire/time-window.ts';

/** A signal of the operator's own: `by` is the label that names the service in its answer. */
const OwnSignal = z.strictObject({
  metric: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower case letters, digits and underscores'),
  query: z.string().min(1),
  by: z.string().min(1).default('service'),
});

const Settings = z.strictObject({
  ...connectionSettings,
  service_labels: LabelNames,
  version_labels: LabelNames,
  services: ServiceLabels.default({}),
  /** Matchers of every query, such as `{cluster: prod}`. */
  matchers: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).default({}),
  /** Where it is absent, it is read from the samples. */
  scrape_interval_seconds: z.number().positive().max(3_600).optional(),
  /** Signals of one's own, before those of the built-in catalogue. `$rate` stands for the rate window. */
  catalogue: z.array(OwnSignal).default([]),
});
type Settings = z.infer<typeof Settings>;

const KEPT_MS = 60_000;

export const telemetry = defineTelemetry<Settings>({
  name: 'prometheus',
  settings: Settings,
  missing: (settings, place) => missingKey(settings, place),
  open: async (settings, place) => {
    const api = prometheusApi(openConnection('Prometheus', settings, place));
    return {
      metrics: metricsOf(settings, api, place.now),
      probe: async (signal) => {
        await api.number('vector(1)', place.now() / 1_000, signal);
        return { state: 'reached' };
      },
      close: async () => undefined,
    };
  },
});

function metricsOf(settings: Settings, api: PrometheusApi, now: () => number): MetricsSource {
  const {
    service_labels: serviceLabels = SERVICE_LABELS,
    version_labels: versionLabels,
    services,
  } = settings;
  const everywhere = Object.entries(settings.matchers)
    .map(([label, value]) => `${label}=${quoted(value)}`)
    .join(',');
  const looking = { catalogue: CATALOGUE, serviceLabels, scrapeSeconds: settings.scrape_interval_seconds };
  const kept = remember<Discovered>(KEPT_MS, now);
  const known = (scope: TelemetryScope, signal: AbortSignal): Promise<Discovered> => {
    const { from, to } = windowMs(scope.window);
    // Windows that move with the clock share what was found out.
    const key = `${Math.round(from / 600_000)} ${Math.round(to / 600_000)}`;
    const times = { start: from / 1_000, end: to / 1_000 };
    return kept(key, () => discover(api, looking, times, signal));
  };

  const signals = async (scope: TelemetryScope, signal: AbortSignal): Promise<Collected<MetricSeries>> => {
    const { found, scrapeSeconds } = await known(scope, signal);
    const plan = planRange(scope.window, scrapeSeconds);
    const asked = scope.services;
    const context = { rate: plan.rate, versionLabels, services, asked, everywhere };
    const queries: SignalQuery[] = [
      ...settings.catalogue.map(({ metric, query, by }) => ({
        query: query.replaceAll('$rate', `${plan.rate}s`),
        by,
        metric: () => metric,
      })),
      ...found.flatMap((one) => signalQueries(one, context)),
    ];
    const planned = queries.map((query) => ({
      query: query.query,
      link: api.link(query.query, plan),
      run: async () => namedSeries(query, await api.range(query.query, plan, signal)),
      namesOf: (series: readonly MetricSeries[]) => [...new Set(series.map(({ metric }) => metric))],
    }));
    if (planned.length === 0) {
      const looked = { query: '/api/v1/label/__name__/values', found: 0, ms: 0 };
      return { items: [], asked: [looked], cut: false };
    }
    const { answers, asked: shown } = await askAll(planned);
    const answered = queries.map((query, at) => ({ query, series: answers[at] ?? [] }));
    return bounded(collectSignals(answered, asked), scope.limit, shown);
  };

  const query = async (
    text: string,
    scope: TelemetryScope,
    signal: AbortSignal,
  ): Promise<Collected<MetricSeries>> => {
    const plan = planRange(scope.window, settings.scrape_interval_seconds ?? 1);
    const run = async () =>
      readQuery(await api.range(text, plan, signal), serviceLabels, services, scope.services);
    const { answers, asked } = await askAll([{ query: text, link: api.link(text, plan), run }]);
    return bounded(answers.flat(), scope.limit, asked);
  };
  return { name: 'prometheus', signals, query };
}

const bounded = (
  all: readonly MetricSeries[],
  limit: number,
  asked: Collected<MetricSeries>['asked'],
): Collected<MetricSeries> => ({ items: all.slice(0, limit), asked, cut: all.length > limit });

/** Series of a query that somebody wrote. The name keeps every label that does not name the service. */
function readQuery(
  answer: readonly RawSeries[],
  labelNames: readonly string[],
  own: ServiceLabels,
  asked: readonly string[] | undefined,
): MetricSeries[] {
  const [only] = asked?.length === 1 ? asked : [];
  return answer.flatMap(({ labels, times, values }) => {
    const mapped = Object.entries(own).find(([, matchers]) =>
      Object.entries(matchers).every(([label, value]) => labels[label] === value),
    )?.[0];
    const by = labelNames.find((label) => labels[label]);
    const service = mapped ?? (by === undefined ? undefined : labels[by]);
    // What names no service is of the asked one: the query was written for it.
    if (asked && service !== undefined && !asked.includes(service)) return [];
    const rest = Object.entries(labels).filter(([label]) => label !== '__name__' && label !== by);
    const shown = rest.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',');
    const name = labels['__name__'] ?? 'value';
    const metric = shown ? `${name}{${shown}}` : name;
    return times.length === 0 ? [] : [{ service: service ?? only ?? 'unknown', metric, times, values }];
  });
}

import { z } from 'zod';
import type { LogLine } from '#spec/data';
import { type Collected, defineTelemetry, type LogsSource, type TelemetryScope } from '#spec/ports';
import { askAll } from '../wire/ask-all.ts';
import { askSpread, thinned } from '../wire/ask-spread.ts';
import { connectionSettings, LabelNames, missingKey, ServiceLabels } from '../wire/connection-settings.ts';
import { exploreLink } from '../wire/grafana-link.ts';
import { type ChosenStreams, chooseStreams, serviceReader } from './choose-streams.ts';
import { holding, soundingBad, soundingFine } from './logql.ts';
import { lokiApi } from './loki-api.ts';
import { readLine } from './read-line.ts';
import { type Connection, openConnection } from '../wire/open-connection.ts';
import { remember } from '../wire/remember.ts';

const Settings = z.strictObject({
  ...connectionSettings,
  service_labels: LabelNames,
  services: ServiceLabels.default({}),
  /** What Loki gives at most for one query: its `max_entries_limit_per_query`. */
  max_lines: z.number().int().min(1).max(1_000_000).default(5_000),
  /** What Grafana calls it, for links. */
  datasource: z.string().default('loki'),
});
type Settings = z.infer<typeof Settings>;

const SERVICE_LABELS = [
  'service_name',
  'service',
  'app',
  'application',
  'job',
  'container',
  'compose_service',
];
const KEPT_MS = 60_000;
const PROBED_MS = 60_000;

export const telemetry = defineTelemetry<Settings>({
  name: 'loki',
  settings: Settings,
  missing: (settings, place) => missingKey(settings, place),
  open: async (settings, place) => {
    const connection = openConnection('Loki', settings, place);
    return {
      logs: logsOf(settings, connection, place.now),
      probe: async (signal) => {
        const now = place.now();
        const window = { start: new Date(now - PROBED_MS).toISOString(), end: new Date(now).toISOString() };
        await lokiApi(connection).labels(window, signal);
        return { state: 'reached' };
      },
      close: async () => undefined,
    };
  },
});

function logsOf(settings: Settings, connection: Connection, now: () => number): LogsSource {
  const api = lokiApi(connection);
  const candidates = settings.service_labels ?? SERVICE_LABELS;
  const naming = { candidates, own: settings.services };
  const kept = remember<ChosenStreams[]>(KEPT_MS, now);

  const ask = async (
    queries: readonly { readonly query: string; readonly serviceOf: ChosenStreams['serviceOf'] }[],
    { window }: TelemetryScope,
    limit: number,
    signal: AbortSignal,
  ): Promise<Collected<LogLine>> => {
    let cut = false;
    const planned = queries.map(({ query, serviceOf }) => ({
      query,
      link: exploreLink(connection, settings.datasource, { expr: query }, window),
      run: async () => {
        const most = Math.min(limit, settings.max_lines - 1);
        const found = await askSpread(window, Math.max(1, most), (slice, count) =>
          api.lines(query, slice, count, signal),
        );
        cut ||= found.cut;
        return found.items.map((line) => readLine(line, serviceOf(line.labels)));
      },
    }));
    const { answers, asked } = await askAll(planned);
    const all = answers.flat();
    return { items: thinned(all, limit), asked, cut: cut || all.length > limit };
  };

  return {
    name: 'loki',
    async lines({ text, errorsFirst, ...scope }, signal) {
      const { start, end } = scope.window;
      const key = JSON.stringify([scope.services, start.slice(0, 15), end.slice(0, 15)]);
      const chosen = await kept(key, () => chooseStreams(api, scope, naming, signal));
      const withFilter = (filter: string) =>
        chosen.map(({ selector, serviceOf }) => ({
          query: `${selector}${text === undefined ? '' : holding(text)}${filter}`,
          serviceOf,
        }));
      if (!errorsFirst) return inOrder(await ask(withFilter(''), scope, scope.limit, signal));
      const bad = await ask(withFilter(soundingBad), scope, scope.limit, signal);
      if (bad.cut) return inOrder(bad);
      const left = scope.limit - bad.items.length;
      const rest = await ask(withFilter(soundingFine), scope, Math.max(1, left), signal);
      return inOrder({
        items: [...bad.items, ...rest.items].slice(0, scope.limit),
        asked: [...bad.asked, ...rest.asked],
        cut: rest.cut || rest.items.length > left,
      });
    },
    async query(query, scope, signal) {
      const serviceOf = serviceReader(candidates, settings.services);
      const { items, ...rest } = await ask([{ query, serviceOf }], scope, scope.limit, signal);
      const wanted = ({ service }: LogLine) =>
        !scope.services || service === 'unknown' || scope.services.includes(service);
      return inOrder({ ...rest, items: items.filter(wanted) });
    },
  };
}

const inOrder = (collected: Collected<LogLine>): Collected<LogLine> => ({
  ...collected,
  items: collected.items.toSorted((one, other) => one.time - other.time),
});

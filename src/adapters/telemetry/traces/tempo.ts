import { z } from 'zod';
import type { SpanRecord } from '#spec/data';
import { type Collected, defineTelemetry, type TelemetryScope, type TracesSource } from '#spec/ports';
import { askAll } from '../wire/ask-all.ts';
import { askSpread } from '../wire/ask-spread.ts';
import { connectionSettings, missingKey } from '../wire/connection-settings.ts';
import { exploreLink } from '../wire/grafana-link.ts';
import { type Connection, openConnection } from '../wire/open-connection.ts';
import { edgesAt, spanEdges } from './span-edges.ts';
import { tempoApi, traceQuery } from './tempo-api.ts';
import { tracesToAsk, wholeTraces } from './whole-traces.ts';

const Settings = z.strictObject({
  ...connectionSettings,
  /** Each is read by a request of its own. */
  max_traces: z.number().int().min(1).max(2_000).default(100),
  /** What Grafana calls it, for links. */
  datasource: z.string().default('tempo'),
});
type Settings = z.infer<typeof Settings>;

const PROBED_MS = 60_000;

export const telemetry = defineTelemetry<Settings>({
  name: 'tempo',
  settings: Settings,
  missing: (settings, place) => missingKey(settings, place),
  open: async (settings, place) => {
    const connection = openConnection('Tempo', settings, place);
    return {
      traces: tracesOf(settings, connection),
      probe: async (signal) => {
        const now = place.now();
        const window = { start: new Date(now - PROBED_MS).toISOString(), end: new Date(now).toISOString() };
        await tempoApi(connection).search(traceQuery(undefined, false), window, 1, signal);
        return { state: 'reached' };
      },
      close: async () => undefined,
    };
  },
});

function tracesOf(settings: Settings, connection: Connection): TracesSource {
  const api = tempoApi(connection);

  const spans = async (
    { errorsOnly = false, ...scope }: TelemetryScope & { readonly errorsOnly?: boolean },
    signal: AbortSignal,
  ): Promise<Collected<SpanRecord>> => {
    const { window, services, limit } = scope;
    const query = traceQuery(services, errorsOnly);
    const most = tracesToAsk(limit, settings.max_traces);
    let cut = false;
    const search = await askAll([
      {
        query,
        link: exploreLink(connection, settings.datasource, { queryType: 'traceql', query }, window),
        run: async () => {
          const found = await askSpread(window, most, (slice, count) =>
            api.search(query, slice, count, signal),
          );
          cut = found.cut;
          return [...new Set(found.items)];
        },
      },
    ]);
    const ids = search.answers.flat();
    const read = await askAll(
      ids.map((id) => ({
        query: `/api/traces/${id}`,
        link: exploreLink(connection, settings.datasource, { queryType: 'traceql', query: id }, window),
        run: () => api.trace(id, signal),
      })),
    );
    const whole = wholeTraces(
      read.answers.filter((trace) => trace.length > 0),
      { ...scope, errorsOnly },
    );
    return { items: whole.items, asked: [...search.asked, ...read.asked], cut: cut || whole.cut };
  };

  return {
    name: 'tempo',
    spans,
    topology: async (scope, signal) => {
      const { items } = await spans(scope, signal);
      return { edges: edgesAt(spanEdges(items), scope.services) };
    },
  };
}

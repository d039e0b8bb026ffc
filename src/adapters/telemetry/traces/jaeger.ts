import { z } from 'zod';
import type { SpanRecord, Topology } from '#spec/data';
import { type Collected, defineTelemetry, type TelemetryScope, type TracesSource } from '#spec/ports';
import { type ServiceNames, serviceNames } from '../deploys/service-names.ts';
import { askAll } from '../wire/ask-all.ts';
import { askSpread } from '../wire/ask-spread.ts';
import { connectionSettings, missingKey } from '../wire/connection-settings.ts';
import { type Connection, openConnection } from '../wire/open-connection.ts';
import { type JaegerApi, jaegerApi, traceParameters } from './jaeger-api.ts';
import { edgesAt, spanEdges, uniqueEdges } from './span-edges.ts';
import { tracesToAsk, wholeTraces } from './whole-traces.ts';

const Settings = z.strictObject({
  ...connectionSettings,
  /** For one service in one question. */
  max_traces: z.number().int().min(1).max(10_000).default(200),
  /** Of those that Jaeger knows, where nobody says which. */
  max_services: z.number().int().min(1).max(1_000).default(40),
  /** Names that services have here, where Jaeger knows them by other ones. */
  services: z.record(z.string().min(1), z.string().min(1)).default({}),
});
type Settings = z.infer<typeof Settings>;

const OWN_SERVICES = /^jaeger(?:-|$)/;

export const telemetry = defineTelemetry<Settings>({
  name: 'jaeger',
  settings: Settings,
  missing: (settings, place) => missingKey(settings, place),
  open: async (settings, place) => {
    const connection = openConnection('Jaeger', settings, place);
    return {
      traces: tracesOf(settings, connection),
      probe: async (signal) => {
        await jaegerApi(connection).services(signal);
        return { state: 'reached' };
      },
      close: async () => undefined,
    };
  },
});

function tracesOf(settings: Settings, connection: Connection): TracesSource {
  const names = serviceNames(settings.services);
  const api = renamed(jaegerApi(connection), names);

  const spans = async (
    { errorsOnly = false, ...scope }: TelemetryScope & { readonly errorsOnly?: boolean },
    signal: AbortSignal,
  ): Promise<Collected<SpanRecord>> => {
    const known = scope.services ?? (await api.services(signal)).filter((name) => !OWN_SERVICES.test(name));
    const asked = known.slice(0, settings.max_services);
    const most = tracesToAsk(scope.limit, settings.max_traces);
    let cut = asked.length < known.length;
    const planned = asked.map((service) => {
      const theirs = names.theirs(service);
      const parameters = traceParameters(theirs, scope.window, { limit: most, errorsOnly });
      return {
        query: `/api/traces service=${theirs}${errorsOnly ? ' tags={"error":"true"}' : ''}`,
        link: connection.link('/search', parameters),
        run: async () => {
          const found = await askSpread(scope.window, most, (window, limit) =>
            api.traces(service, window, { limit, errorsOnly }, signal),
          );
          cut ||= found.cut;
          return found.items;
        },
      };
    });
    const { answers, asked: shown } = await askAll(planned);
    const whole = wholeTraces(answers.flat(), { ...scope, errorsOnly });
    return { items: whole.items, asked: shown, cut: cut || whole.cut };
  };

  const topology = async (scope: TelemetryScope, signal: AbortSignal): Promise<Topology> => {
    // Jaeger computes dependencies now and then, or never: spans tell them too.
    const [stored, seen] = await Promise.allSettled([
      api.dependencies(scope.window, signal),
      spans(scope, signal).then(({ items }) => spanEdges(items)),
    ]);
    if (stored.status === 'rejected' && seen.status === 'rejected') throw stored.reason as Error;
    const edges = [stored, seen].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    return { edges: edgesAt(uniqueEdges(edges), scope.services) };
  };
  return { name: 'jaeger', spans, topology };
}

/** The same API with our names of services in place of Jaeger's. */
function renamed(api: JaegerApi, { theirs, ours }: ServiceNames): JaegerApi {
  return {
    services: async (signal) => (await api.services(signal)).map(ours),
    traces: async (service, ...rest) =>
      (await api.traces(theirs(service), ...rest)).map((spans) =>
        spans.map((span) => ({ ...span, service: ours(span.service) })),
      ),
    dependencies: async (...rest) =>
      (await api.dependencies(...rest)).map(({ from, to }) => ({ from: ours(from), to: ours(to) })),
  };
}

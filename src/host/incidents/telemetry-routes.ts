import { otlpRoutes } from '#adapters/otlp';
import { openEmbedded } from '#adapters/telemetry';
import type { Route } from '#spec/ports';
import type { Host } from '../open-host.ts';

type Needs = Pick<Host, 'home' | 'loaded' | 'onClose' | 'redactor'>;

/** The ways in for telemetry: OTLP over HTTP, into the store of this home. */
export async function telemetryRoutes(host: Needs): Promise<readonly Route[]> {
  const { home, loaded } = host;
  const store = await openEmbedded(home.dir('telemetry'), {
    maxAgeMs: loaded.config.incidents.retain_hours * 3_600_000,
  });
  host.onClose(() => store.close());
  const { deep } = await host.redactor();
  // Numbers and their labels are many and say little; what people and programs wrote passes.
  return otlpRoutes({
    ...store,
    add: ({ logs, spans, ...batch }) =>
      store.add({
        ...batch,
        ...(logs ? { logs: deep(logs) } : {}),
        ...(spans ? { spans: deep(spans) } : {}),
      }),
  });
}

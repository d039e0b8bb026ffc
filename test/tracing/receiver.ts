import { onTestFinished } from 'vitest';
import { openHost } from '#host';
import { serveHome } from '#server';
import type { SpanRecord } from '#spec/data';
import { incidentApi, makeIncidentHome } from '#testkit/incident-home';

/** A home whose receiver of OTLP takes what others send, and what one has to set to send there. */
export interface Receiver {
  readonly env: Readonly<Record<string, string>>;
  /** Resolves as soon as spans of Hermes have come that fit. */
  until(what: string, fits: (spans: readonly SpanRecord[]) => boolean): Promise<readonly SpanRecord[]>;
}

export async function startReceiver(): Promise<Receiver> {
  const home = await makeIncidentHome();
  onTestFinished(() => home.remove());
  const host = await openHost({ env: home.env, version: '0.0.0' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  const api = incidentApi(() => served.url, home.token);
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: served.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${home.token}`,
      OTEL_SERVICE_NAME: 'hermes-under-test',
    },
    until: (what, fits) =>
      api.until(what, async () => {
        const { body } = await api.send('GET', '/api/monitoring/traces?service=hermes-under-test&limit=2000');
        const spans = body as readonly SpanRecord[];
        return fits(spans) ? spans : undefined;
      }),
  };
}

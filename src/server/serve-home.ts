import { alertRoutes, type Host, type HostIncidents, serverToken, telemetryRoutes } from '#host';
import { auditTurnedAway } from './audit-turned-away.ts';
import { incidentRoutes } from './routes/incident-routes.ts';
import { serverAuthFromEnv } from './server-auth.ts';
import type { ServerLogger } from './server-log.ts';
import { type RunningServer, startServer } from './start-server.ts';

export interface ServeOptions {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly logger?: ServerLogger;
}

export interface ServedHome extends RunningServer {
  readonly incidents: HostIncidents;
  readonly token: string | undefined;
  /** Whether the token was made just now. */
  readonly madeToken: boolean;
  /** Webhooks that did not start, and what they lack. */
  readonly off: readonly { readonly name: string; readonly why: string }[];
}

/** A storm of alerts comes through one token: it may, while it lasts. */
const RATE = { perSecond: 2_000, burst: 20_000 };

/** Serves one home: alerts come in, incidents are looked into, people look and decide. */
export async function serveHome(host: Host, options: ServeOptions = {}): Promise<ServedHome> {
  const { server: settings } = host.loaded.config;
  const incidents = await host.incidents({ run: true });
  const asked = serverAuthFromEnv(host.loaded.env);
  const { token, made } = asked.enabled ? await serverToken(host) : { token: undefined, made: false };
  const { routes, off } = await alertRoutes(host, incidents);
  const server = await startServer({
    routes: [...incidentRoutes(incidents), ...routes, ...(await telemetryRoutes(host))],
    auth: { ...asked, ...(token === undefined ? {} : { token }) },
    host: options.host ?? settings.host,
    port: options.port ?? settings.port,
    allowedHosts: settings.allowed_hosts,
    rate: RATE,
    onTurnedAway: auditTurnedAway(host),
    readiness: async () => {
      const open = await incidents.store.list({ limit: 1 });
      return { ok: true, details: { incidents: open.length > 0 ? 'some' : 'none' } };
    },
    ...(options.logger ? { logger: options.logger } : {}),
  });
  return { ...server, incidents, token, madeToken: made, off };
}

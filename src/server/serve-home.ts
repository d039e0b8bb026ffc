import { say, type Text } from '#kit/text';
import { dirname } from 'node:path';
import { alertRoutes } from '#host/incidents/alert-routes';
import { type Problem as ConfigProblem, formatProblem } from '#config';
import {
  type Host,
  incidentStoreFile,
  type HomeTrouble,
  homeDatabases,
  openHomeHealth,
  packageFolder,
  peerKnowledge,
  preferredLanguage,
  serverToken,
} from '#host';
import { endedSessions } from '#host/served/ended-sessions';
import { findUnread } from '#host/config/find-unread';
import type { HomeIncidents } from '#app/incidents';
import { type HomeReach, type ReachedThing, servedStatus, viewInterfaces } from '#app/status';
import { knownSecrets } from '#host/secret-values';
import { openMcpView } from '#host/mcp/open-mcp-view';
import { openMonitoring } from '#app/monitoring';
import { openReach } from '#host/reach/open-reach';
import { openServedChat } from '#app/chat';
import { openServedSkills } from '#app/skills';
import { openServedMemory } from '#app/memory';
import { openServedSessions } from '#app/sessions';
import { readUsers } from '#host/served/home-users';
import { telemetryRoutes } from '#host/incidents/telemetry-routes';
import { API } from '#spec/api';
import type { Logger, Route } from '#spec/ports';
import { auditTurnedAway } from './audit-turned-away.ts';
import { auditWritten } from './audit-written.ts';
import { consolePages } from './console-pages.ts';
import { type EventHub, openEventHub } from './event-hub.ts';
import { homeGauges } from './home-gauges.ts';
import { openaiRoutes } from './openai/openai-routes.ts';
import { chatRoutes } from './routes/chat-routes.ts';
import { type DemoControls, demoRoutes } from './routes/demo-routes.ts';
import { digestRoutes } from './routes/digest-routes.ts';
import { formerAddresses } from './routes/former-addresses.ts';
import { incidentRoutes } from './routes/incident-routes.ts';
import { memoryRoutes } from './routes/memory-routes.ts';
import { mcpRoutes } from './routes/mcp-routes.ts';
import { monitoringRoutes } from './routes/monitoring-routes.ts';
import { openapiRoutes } from './routes/openapi-routes.ts';
import { requestRoutes } from './routes/request-routes.ts';
import { sessionListRoutes } from './routes/session-list-routes.ts';
import { type SettingsPlace, settingsRoutes } from './routes/settings-routes.ts';
import { skillRoutes } from './routes/skill-routes.ts';
import { type ServerAuth, serverAuthFromEnv } from './server-auth.ts';
import { type RunningServer, startServer } from './start-server.ts';

export interface ServeOptions {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Told when the place where the home is kept begins to fail, and with nothing when it is well again. */
  readonly onTrouble?: (trouble: HomeTrouble | undefined) => void;
  /** A system to break, which runs beside the server. */
  readonly demo?: DemoControls;
  /** The folder of the built console, where it is not the one that comes along. */
  readonly console?: string;
}

export interface ServedHome extends RunningServer {
  readonly incidents: HomeIncidents;
  readonly token: string | undefined;
  /** Whether the token was made just now. */
  readonly madeToken: boolean;
  /** Webhooks that did not start, and what they lack. */
  readonly off: readonly { readonly name: string; readonly why: Text | string }[];
  /** What is configured and read by nothing. */
  readonly unread: readonly ConfigProblem[];
}

/** A storm of alerts comes through one token: it may, while it lasts. */
const RATE = { perSecond: 2_000, burst: 20_000 };

/** Serves one home: alerts come in, incidents are looked into, people look and decide. */
export async function serveHome(host: Host, options: ServeOptions = {}): Promise<ServedHome> {
  const { log, loaded } = host;
  const { server: settings } = loaded.config;
  const incidents = await host.incidents({ run: true });
  const asked = serverAuthFromEnv(host.loaded.env);
  const { token, made } = asked.enabled ? await serverToken(host) : { token: undefined, made: false };
  const users = asked.enabled ? await readUsers(host) : [];
  const hub = openEventHub({ read: newsOf(incidents) });
  const auth = { ...asked, users, ...(token === undefined ? {} : { token }) };
  const people = peopleOf(auth);
  const reach = await openReach(host, {
    backends: incidents.backends,
    onDemand: false,
    onTurn: (thing, before) => {
      // The first answer is only worth a line where it is bad.
      if (thing.reach.state === 'failing' || before.state === 'failing') tellReach(log, thing);
    },
  });
  const { routes, off } = await homeRoutes(host, {
    incidents,
    reach,
    hub,
    people,
    demo: options.demo,
  });
  const tracing = await host.tracing();
  const { gauges, close: closeGauges } = homeGauges(incidents, hub, tracing?.counts);
  const sessions = await endedSessions(host, Date.now);
  const health = openHomeHealth({
    folders: foldersOf(host),
    databases: homeDatabases(host),
    told: (trouble) => {
      if (trouble) log.error('home.failing', { code: trouble.error.code, error: trouble.error.message });
      else log.info('home.healed', {});
      options.onTrouble?.(trouble);
    },
  });
  const server = await startServer({
    routes,
    auth,
    host: options.host ?? settings.host,
    port: options.port ?? settings.port,
    allowedHosts: settings.allowed_hosts,
    rate: RATE,
    onTurnedAway: auditTurnedAway(host),
    onWritten: auditWritten(host),
    endedSessions: sessions,
    peers: peerKnowledge,
    secrets: await knownSecrets(host.home, host.loaded),
    pages: consolePages(options.console ?? packageFolder('console/dist')),
    gauges,
    tracer: tracing?.tracer,
    onBroken: health.note,
    readiness: async () => {
      const open = await incidents.store.list({ limit: 1 }).catch((thrown: unknown) => {
        health.note(thrown);
        throw thrown;
      });
      const trouble = await health.look();
      if (trouble) return { ok: false, details: { home: troubleDetails(trouble) } };
      return { ok: true, details: { incidents: open.length > 0 ? 'some' : 'none' } };
    },
    log,
  }).catch((thrown: unknown) => {
    health.close();
    closeGauges();
    throw thrown;
  });
  const leaving = new AbortController();
  const watching = reach.watch(leaving.signal);
  const close = async (): Promise<void> => {
    leaving.abort();
    await watching;
    health.close();
    await server.close();
    closeGauges();
    await sessions.written();
  };
  const unread = await findUnread(host);
  // Once in the log, and not with every request.
  for (const problem of unread)
    log.warn('config.unread', { about: problem.path, error: formatProblem(problem) });
  return { ...server, close, incidents, token, madeToken: made, off, unread };
}

/** Every folder that holds something which must not get lost. */
const foldersOf = (host: Host): readonly string[] => [
  ...new Set([host.home.root, dirname(incidentStoreFile(host))]),
];

const troubleDetails = ({ error: { code, message }, since }: HomeTrouble) => ({
  code,
  message,
  since: new Date(since).toISOString(),
});

interface HomeParts {
  readonly incidents: HomeIncidents;
  readonly reach: HomeReach;
  readonly hub: EventHub;
  readonly people: SettingsPlace['people'];
  readonly demo: DemoControls | undefined;
}

/** Everything that is served over HTTP, but for the console and what every server has. */
async function homeRoutes(
  host: Host,
  { incidents, reach, hub, people, demo }: HomeParts,
): Promise<{ readonly routes: readonly Route[]; readonly off: ServedHome['off'] }> {
  const { version, home, loaded, log } = host;
  const alerts = await alertRoutes(host, incidents, ({ id, source, incident }) =>
    log.info('message.kept', { source, message: id, incident }),
  );
  const routes = [
    ...incidentRoutes(incidents, hub),
    ...requestRoutes(host),
    ...monitoringRoutes(await openMonitoring(host, incidents)),
    ...memoryRoutes(await openServedMemory(host)),
    ...sessionListRoutes(await openServedSessions(host)),
    ...skillRoutes(await openServedSkills(host, { cwd: process.cwd() })),
    ...settingsRoutes({
      version,
      profile: home.profile,
      interfaces: () => viewInterfaces(host, incidents, reach, alerts),
      status: () => servedStatus(host, incidents, reach, alerts),
      listeners: hub.clients,
      people,
    }),
    ...digestRoutes(host),
    ...mcpRoutes(await openMcpView(host, process.cwd())),
    ...demoRoutes(demo),
    ...chatRoutes(openServedChat(host, { cwd: process.cwd() })),
    ...openaiRoutes(host, { cwd: process.cwd(), language: preferredLanguage(loaded.env, home.profile) }),
    ...alerts.routes,
    ...(await telemetryRoutes(host)),
  ];
  const own = [...Object.values(API.server), ...Object.values(API.session)];
  const described = loaded.config.server.openapi ? openapiRoutes([...routes, ...own], version) : [];
  return { routes: [...routes, ...described, ...formerAddresses()], off: alerts.off };
}

/** A line for whoever reads the log: something is reached again, or no longer. */
function tellReach(log: Logger, { part, name, reach }: ReachedThing): void {
  const about = `${part}/${name}`;
  if (reach.state === 'failing')
    log.warn('reach.turned', { about, state: reach.state, error: say(reach.because, 'en') });
  else log.info('reach.turned', { about, state: reach.state });
}

/** Who may sign in. What they sign in with stays here. */
function peopleOf({ enabled, token, readOnlyToken, users = [] }: ServerAuth): SettingsPlace['people'] {
  if (!enabled) return [{ user: 'local', role: 'admin', by: 'loopback' }];
  return [
    ...(token === undefined ? [] : [{ user: 'token', role: 'admin', by: '.env' } as const]),
    ...(readOnlyToken === undefined
      ? []
      : [{ user: 'read_only_token', role: 'viewer', by: '.env' } as const]),
    ...users.map(({ user, role }) => ({ user, role, by: 'users.yaml' }) as const),
  ];
}

/** What happens to incidents, as events. */
const newsOf =
  ({ store }: HomeIncidents) =>
  async (after: number | 'last', limit: number) =>
    (await store.news(after, limit)).map(({ n, fact }) => ({ type: fact.type, data: fact, seq: n }));

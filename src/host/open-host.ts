import { fileCredentialBook, openFlows, openSessionDatabase, type SessionDatabase } from '#adapters/store';
import type { McpClients } from '#adapters/bridges';
import { type OpenLog, openLog } from '#adapters/log';
import type { Dependencies } from '#app';
import type { HomeGate, PersonProof } from '#app/approvals';
import type { ConversationOptions } from '#app/conversation';
import type { HomeIncidents } from '#app/incidents';
import { LOCAL } from '#app/models';
import type { HomeSkills } from '#app/skills';
import type { HomeTracing } from '#app/tracing';
import { modelAsker } from '#engines/models';
import type { Conversation } from '#engines/session';
import type { ModelRequest } from '#spec/data';
import type { Logger, ModelStream, RouteMessage } from '#spec/ports';
import { type Once, once, onceEach } from '#kit/once';
import { settleAll } from '#kit/settle-all';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { preferredLanguage } from './language.ts';
import { loggedSessions } from './logged-sessions.ts';
import { type Home, resolveHome } from './home.ts';
import { type Env, wantsTracing } from '#config';
import { providerIds } from './models/find-provider.ts';
import type { OpenedMemory } from './memory/open-host-memory.ts';
import { openModels } from './models/open-models.ts';
import type { HookTrouble, LoadedPlugins } from '#adapters/plugins';
import { cleanStored, openRedactor, redactingSessions } from './redactor.ts';
import { toolPlace } from './tools/tool-place.ts';

/** Shows a person an address, as where they sign in. */
type BrowserOpener = (url: string) => Promise<void>;

/** One home, opened: its configuration read, everything that use cases need at hand. */
export interface Host extends Dependencies {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly log: OpenLog;
  database(): Promise<SessionDatabase>;
  conversation(options: ConversationOptions): Promise<Conversation>;
  /** The servers of `mcp_config.json`, for this folder; undefined where there is no such file. */
  mcp(cwd: string, openBrowser?: BrowserOpener): Promise<McpClients | undefined>;
  /** The plugins that are switched on. */
  plugins(): Promise<LoadedPlugins>;
  /** Asks a model one question outside of any conversation. */
  probe(text: string, options: { model?: string | undefined; signal: AbortSignal }): Promise<ModelStream>;
  close(): Promise<void>;
}

export async function openHost(options: {
  readonly env: Env;
  readonly profile?: string | undefined;
  readonly version: string;
  /** How it is told that a person agrees; by looking at the process unless said otherwise. */
  readonly proof?: PersonProof;
}): Promise<Host> {
  const { env, profile, version } = options;
  const home = resolveHome({ env, profile });
  const loaded = await loadConfig(home, env);
  const redactor = once(() => openRedactor(home, loaded));
  const log = openLog({
    folder: home.dir('logs'),
    least: loaded.config.logs.level,
    cleaner: async () => (await redactor()).text,
  });
  const book = fileCredentialBook(home.file('credentials.json'), log);
  const route: RouteMessage = async (...said) =>
    (await import('./operator-home.ts')).routeByRules(host, ...said);
  const providers = async () => (await host.plugins()).providers;
  const models = onceEach((override: string) =>
    openModels({
      loaded,
      book,
      route,
      override,
      signal: AbortSignal.timeout(60_000),
      providers,
      redactor: host.redactor,
    }),
  );
  const database = once(() => openDatabase(host));
  const memory = once(() => openMemoryOf(host));
  const shelves = onceEach((cwd: string) => openSkillsOf(host, cwd));
  const reading = once(() => openIncidentsOf(host, false));
  const working = once(() => openIncidentsOf(host, true));
  const gate = once(() => openGateOf(host, options.proof));
  const servers = new Map<string, Once<[BrowserOpener | undefined], McpClients | undefined>>();
  const plugins = once(async () => {
    const { hostPlugins } = await import('./home-plugins.ts');
    return hostPlugins(home, loaded, reportTrouble(log));
  });
  const tracing = once(() => openTracingOf(host));
  const closers: (() => Promise<void>)[] = [];

  const host: Host = {
    home,
    version,
    loaded,
    log,
    profile: home.profile,
    get language() {
      return preferredLanguage(env, home.profile);
    },
    settings: loaded.config,
    env: loaded.env,
    models: (override = '') => models(override),
    redactor,
    database,
    memory: async (language = 'en') => (await memory()).speaking(language),
    skills: (cwd = process.cwd()) => shelves(cwd),
    // One that works on incidents can also be read; one that only reads them cannot work.
    incidents: ({ run } = { run: false }) => (run ? working() : (working.kept() ?? reading())),
    hub: async (cwd) => (await import('./skills/open-hub.ts')).openHub(host, cwd),
    incidentFile: async () => (await import('./incidents/incident-file.ts')).readIncidentFile(home),
    flows: async (flows, report = () => undefined) => {
      return openFlows(home.file('flows.db'), { flows, report, clean: (await host.redactor()).text });
    },
    embedder: async () => (await import('./memory/embedder.ts')).embedderState(host),
    people: async () => {
      const { readUsers } = await import('./served/home-users.ts');
      const users = await readUsers(host).catch((thrown: unknown) => {
        log.warn('part.failed', { part: 'users.yaml', thrown });
        return [];
      });
      return users.map(({ user }) => user);
    },
    unread: async () => (await import('./config/find-unread.ts')).findUnread(host),
    writtenJobs: async () => (await import('./config/find-unread.ts')).writtenJobs(host),
    providerNames: async () => [
      ...providerIds(loaded.config),
      ...(await providers()).map(({ id }) => id),
      LOCAL,
    ],
    builtInTools: async () => (await import('./tools/built-in-tools.ts')).builtInTools(),
    toolPlace: (sees) => toolPlace(loaded.env, sees),
    openPlace: async (place) => (await import('./tools/open-place.ts')).openPlace(host, place),
    promptInputs: async (cwd) => (await import('./prompt-inputs.ts')).readPromptInputs(host, cwd),
    engineTools: async (place) => (await import('#app/tools')).engineTools(host, place),
    gate,
    mcp: (cwd, openBrowser) => {
      const known = servers.get(cwd) ?? once((browser) => openMcpOf(host, cwd, browser));
      servers.set(cwd, known);
      return known(openBrowser);
    },
    plugins: async () => (loaded.config.plugins.allowed.length === 0 ? NO_PLUGINS : plugins()),
    auxiliary: async (override) => {
      const asked = await host.models(override);
      return asked.primary ? (await asked.turn('')).model : undefined;
    },
    sees: async (override) => (await host.auxiliary(override))?.info.images ?? false,
    tracing,
    onClose: (close) => void closers.push(close),
    conversation: async (asked) => {
      const { connectConversation } = await import('#app/conversation');
      return connectConversation(host, asked);
    },
    probe: async (text, { model, signal }) => {
      const turn = await (await host.models(model)).turn(text);
      const request: ModelRequest = {
        system: [],
        messages: [{ role: 'user', content: [{ type: 'text', text }] }],
        tools: [],
        maxOutput: Math.min(256, turn.model.info.maxOutput),
      };
      return turn.model.stream(request, signal);
    },
    answering: async (override) => {
      const { primary } = await host.models(override);
      return primary && [primary.provider, primary.model].filter(Boolean).join('/');
    },
    close: async () => {
      await settleAll(
        closers.splice(0).map((close) => close()),
        (thrown) => log.warn('part.failed', { part: 'closing', thrown }),
      );
      for (const part of [working, reading]) await closeOpened(part.kept());
      for (const shelf of shelves.kept()) await closeOpened(shelf);
      for (const part of [memory, gate, database, tracing]) await closeOpened(part.kept());
      await log.written();
    },
  };
  return host;
}

/** What could not be opened was told to whoever asked for it, and need not be closed. */
async function closeOpened(part: Promise<{ close(): Promise<void> } | undefined> | undefined): Promise<void> {
  const opened = await part?.catch(() => undefined);
  await opened?.close();
}

/** What plugins bring when none is switched on: nothing is read, and no hook runs. */
const NO_PLUGINS: LoadedPlugins = {
  plugins: [],
  tools: [],
  providers: [],
  sandboxes: [],
  commands: [],
  skills: [],
  runHooks: async (_, payload) => ({ payload }),
};

/** A hook that fails is no reason to stop, but to be known. */
const reportTrouble =
  (log: Logger) =>
  ({ plugin, hook, event, message, off }: HookTrouble): void =>
    log.warn('hook.failed', { plugin, hook, on: event, off, error: message });

async function openMcpOf(
  host: Host,
  cwd: string,
  openBrowser: BrowserOpener | undefined,
): Promise<McpClients | undefined> {
  const { hostMcp } = await import('./mcp/host-mcp.ts');
  const { home, loaded, version } = host;
  const clients = await hostMcp({
    home,
    loaded,
    version,
    cwd,
    sample: modelAsker(() => host.auxiliary()),
    log: host.log,
    openBrowser,
  });
  if (clients) host.onClose(clients.close);
  return clients;
}

/** Nothing of it is loaded where nobody wants traces. */
async function openTracingOf(host: Host): Promise<HomeTracing | undefined> {
  if (!wantsTracing(host.loaded)) return undefined;
  return (await import('./tracing/open-tracing.ts')).openTracing(host);
}

async function openIncidentsOf(host: Host, run: boolean): Promise<HomeIncidents> {
  const { openIncidents } = await import('./incidents/open-incidents.ts');
  return openIncidents(host, { run });
}

async function openMemoryOf({ home, loaded, redactor }: Host): Promise<OpenedMemory> {
  const { openHostMemory } = await import('./memory/open-host-memory.ts');
  return openHostMemory(home, loaded, await redactor());
}

async function openSkillsOf(host: Host, cwd: string): Promise<HomeSkills> {
  const [{ openHostSkills }, { loopPen }] = await Promise.all([
    import('./skills/open-host-skills.ts'),
    import('#app/skills'),
  ]);
  const { approve } = host.loaded.config.learning;
  return openHostSkills({
    home: host.home,
    loaded: host.loaded,
    redactor: await host.redactor(),
    cwd,
    // A plugin is allowed as it is, skills and all.
    plugins: (await host.plugins()).skills.map((path) => ({ path, trust: 'trusted' as const })),
    askModel: modelAsker(() => host.auxiliary()),
    penFor: (writer, experiences) => loopPen(host, writer, { approve, experiences }),
    hasModel: (await host.answering()) !== undefined,
  });
}

async function openGateOf(host: Host, proof: PersonProof | undefined): Promise<HomeGate> {
  const { openHostGate } = await import('./gate/open-host-gate.ts');
  await host.home.make();
  return openHostGate(
    host.home,
    host.loaded,
    await host.redactor(),
    modelAsker(() => host.auxiliary()),
    host.log,
    proof,
  );
}

async function openDatabase({ home, redactor, log }: Host): Promise<SessionDatabase> {
  await home.make();
  const redacting = await redactor();
  const database = await openSessionDatabase(home.file('state.db'), { clean: cleanStored(redacting) });
  return loggedSessions(redactingSessions(database, redacting), log);
}

import { mkdir } from 'node:fs/promises';
import { fileCredentialBook, openSessionDatabase, type SessionDatabase } from '#adapters/store';
import type { McpClients } from '#adapters/bridges';
import type { MemoryView } from '#engines/memory';
import type { Conversation } from '#engines/session';
import type { Audience, Caller, ModelRequest } from '#spec/data';
import type { Model, ModelStream, Tool } from '#spec/ports';
import type { Language } from '#kit/language';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { gatherFacts } from './facts.ts';
import type { HostGate } from './gate/open-host-gate.ts';
import type { PersonProof } from './gate/person-proof.ts';
import { type Env, type Home, resolveHome } from './home.ts';
import type { HostIncidents } from './incidents/open-incidents.ts';
import type { HostMemory } from './memory/open-host-memory.ts';
import { type Models, openModels } from './models/open-models.ts';
import type { HookTrouble } from './plugins/hooks.ts';
import type { LoadedPlugins } from './plugins/load-plugins.ts';
import { NO_PLUGINS } from './plugins/no-plugins.ts';
import type { HostSkills } from './skills/open-host-skills.ts';
import { cleanStored, openRedactor, type Redactor, redactingSessions } from './redactor.ts';
import { modelAsker } from './tools/ask-model.ts';
import type { HostTracing } from './tracing/open-tracing.ts';
import { wantsTracing } from './tracing/wants-tracing.ts';

export interface ConversationOptions {
  /** Go on in this session, or in the newest of this place. */
  readonly resume?: string | undefined;
  readonly latest?: boolean | undefined;
  readonly model?: string | undefined;
  readonly thinking?: ModelRequest['thinking'];
  readonly cwd: string;
  readonly language: Language;
  /** How answers are read: `cli`, `pipe`. */
  readonly platform: string;
  /** Whose conversation it is; of whoever sits at this terminal unless said otherwise. */
  readonly audience?: Audience;
  /** The way in; a chat unless said otherwise. */
  readonly caller?: Caller;
  /** What a person has said just now about commands where there is no sandbox. */
  readonly withoutSandbox?: boolean | undefined;
}

/** One home, opened: its configuration read, its models and conversations at hand. */
export interface Host {
  readonly home: Home;
  readonly version: string;
  readonly loaded: LoadedConfig;
  models(override?: string): Promise<Models>;
  /** The conversations of this home; opened at the first call. */
  database(): Promise<SessionDatabase>;
  /** What this home remembers; opened at the first call. */
  memory(language?: Language): Promise<HostMemory>;
  /** The skills of this home as they are seen from a folder; opened at the first call. */
  skills(cwd?: string): Promise<HostSkills>;
  /** The incidents of this home; opened at the first call. `run`: this process also goes on with them. */
  incidents(options?: { readonly run: boolean }): Promise<HostIncidents>;
  /** Tools of memory and skills, for a caller that is no conversation. */
  engineTools(place: {
    readonly view: MemoryView;
    readonly language: Language;
    readonly cwd: string;
  }): Promise<readonly Tool[]>;
  /** What every text passes before it is stored, sent or shown to somebody else. */
  redactor(): Promise<Redactor>;
  /** The gate of this home and its records; opened at the first call. */
  gate(): Promise<HostGate>;
  conversation(options: ConversationOptions): Promise<Conversation>;
  /** The servers of `mcp_config.json`, for this folder; undefined where there is no such file. */
  mcp(cwd: string, openBrowser?: (url: string) => Promise<void>): Promise<McpClients | undefined>;
  /** The plugins that are switched on. */
  plugins(language: Language): Promise<LoadedPlugins>;
  /** A model for questions beside a conversation, or undefined where only the built-in operator answers. */
  auxiliary(override?: string): Promise<Model | undefined>;
  /** Whether what answers can be shown pictures. */
  sees(override?: string): Promise<boolean>;
  /** Where traces of what is done here go; undefined where nobody wants any. */
  tracing(): Promise<HostTracing | undefined>;
  /** Has something closed together with this home. */
  onClose(close: () => Promise<void>): void;
  /** Asks a model one question outside of any conversation. */
  probe(text: string, options: { model?: string | undefined; signal: AbortSignal }): Promise<ModelStream>;
  /** `provider/model` of what would answer, or undefined for the built-in operator. */
  answering(override?: string): Promise<string | undefined>;
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
  const book = fileCredentialBook(home.file('credentials.json'));
  const facts = () => gatherFacts(version, home, loaded);
  const opened = new Map<string, Promise<Models>>();
  const route = async (text: string) =>
    (await import('./operator/route-message.ts')).routeByRules(host, text);
  const providers = async () => (await host.plugins('en')).providers;
  let database: Promise<SessionDatabase> | undefined;
  let gate: Promise<HostGate> | undefined;
  let redactor: Promise<Redactor> | undefined;
  let memory: Promise<HostMemory> | undefined;
  let incidents: Promise<HostIncidents> | undefined;
  let working: Promise<HostIncidents> | undefined;
  const shelves = new Map<string, Promise<HostSkills>>();
  let plugins: Promise<LoadedPlugins> | undefined;
  let tracing: Promise<HostTracing | undefined> | undefined;
  const servers = new Map<string, Promise<McpClients | undefined>>();
  const closers: (() => Promise<void>)[] = [];

  const host: Host = {
    home,
    version,
    loaded,
    models: (override = '') => {
      const signal = AbortSignal.timeout(60_000);
      const known =
        opened.get(override) ??
        openModels({
          loaded,
          book,
          facts,
          route,
          override,
          signal,
          providers,
          redactor: host.redactor,
        });
      opened.set(override, known);
      return known;
    },
    redactor: () => (redactor ??= openRedactor(home, loaded)),
    database: () => (database ??= openDatabase(host)),
    memory: (language = 'en') => (memory ??= openMemoryOf(host, language)),
    skills: (cwd = process.cwd()) => {
      const known = shelves.get(cwd) ?? openSkillsOf(host, cwd);
      shelves.set(cwd, known);
      return known;
    },
    // One that works on incidents can also be read; one that only reads them cannot work.
    incidents: ({ run } = { run: false }) =>
      run
        ? (working ??= openIncidentsOf(host, true))
        : (working ?? (incidents ??= openIncidentsOf(host, false))),
    engineTools: async (place) => (await import('./engine-tools.ts')).engineTools(host, place),
    gate: () => (gate ??= openGateOf(host, options.proof)),
    mcp: (cwd, openBrowser) => {
      const known = servers.get(cwd) ?? openMcpOf(host, cwd, openBrowser);
      servers.set(cwd, known);
      return known;
    },
    plugins: async (language) => {
      if (loaded.config.plugins.allowed.length === 0) return NO_PLUGINS;
      const { hostPlugins } = await import('./plugins/host-plugins.ts');
      return (plugins ??= hostPlugins(home, loaded, language, reportTrouble));
    },
    auxiliary: async (override) => {
      const models = await host.models(override);
      return models.primary ? (await models.turn('')).model : undefined;
    },
    sees: async (override) => (await host.auxiliary(override))?.info.images ?? false,
    tracing: () => (tracing ??= openTracingOf(host)),
    onClose: (close) => void closers.push(close),
    conversation: async (asked) => {
      const { connectConversation } = await import('./connect-conversation.ts');
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
      await Promise.allSettled(closers.splice(0).map((close) => close()));
      await closeOpened(working);
      await closeOpened(incidents);
      for (const shelf of shelves.values()) await closeOpened(shelf);
      await closeOpened(memory);
      await closeOpened(gate);
      await closeOpened(database);
      await closeOpened(tracing);
    },
  };
  return host;
}

/** What could not be opened was told to whoever asked for it, and need not be closed. */
async function closeOpened(part: Promise<{ close(): Promise<void> } | undefined> | undefined): Promise<void> {
  const opened = await part?.catch(() => undefined);
  await opened?.close();
}

/** A hook that fails is no reason to stop, but to be known. */
const reportTrouble = ({ plugin, hook, event, message, off }: HookTrouble): void => {
  process.emitWarning(`${plugin}: hook ${hook} (${event}): ${message}${off ? '; it is off now' : ''}`);
};

async function openMcpOf(
  host: Host,
  cwd: string,
  openBrowser: ((url: string) => Promise<void>) | undefined,
): Promise<McpClients | undefined> {
  const { hostMcp } = await import('./mcp/host-mcp.ts');
  const { home, loaded, version } = host;
  const clients = await hostMcp({
    home,
    loaded,
    version,
    cwd,
    sample: modelAsker(() => host.auxiliary()),
    openBrowser,
  });
  if (clients) host.onClose(clients.close);
  return clients;
}

/** Nothing of it is loaded where nobody wants traces. */
async function openTracingOf(host: Host): Promise<HostTracing | undefined> {
  if (!wantsTracing(host.loaded)) return undefined;
  return (await import('./tracing/open-tracing.ts')).openTracing(host);
}

async function openIncidentsOf(host: Host, run: boolean): Promise<HostIncidents> {
  const { openIncidents } = await import('./incidents/open-incidents.ts');
  return openIncidents(host, { run });
}

async function openMemoryOf({ home, loaded, redactor }: Host, language: Language): Promise<HostMemory> {
  const { openHostMemory } = await import('./memory/open-host-memory.ts');
  return openHostMemory(home, loaded, await redactor(), language);
}

async function openSkillsOf(host: Host, cwd: string): Promise<HostSkills> {
  const [{ openHostSkills }, { loopPen }] = await Promise.all([
    import('./skills/open-host-skills.ts'),
    import('./skills/staging-pen.ts'),
  ]);
  const { approve } = host.loaded.config.learning;
  return openHostSkills({
    home: host.home,
    loaded: host.loaded,
    redactor: await host.redactor(),
    cwd,
    // A plugin is allowed as it is, skills and all.
    plugins: (await host.plugins('en')).skills.map((path) => ({ path, trust: 'trusted' as const })),
    askModel: modelAsker(() => host.auxiliary()),
    penFor: (writer, experiences) => loopPen(host, writer, { approve, experiences }),
    hasModel: (await host.answering()) !== undefined,
  });
}

async function openGateOf(host: Host, proof: PersonProof | undefined): Promise<HostGate> {
  const { openHostGate } = await import('./gate/open-host-gate.ts');
  await mkdir(host.home.root, { recursive: true, mode: 0o700 });
  return openHostGate(
    host.home,
    host.loaded,
    await host.redactor(),
    modelAsker(() => host.auxiliary()),
    proof,
  );
}

async function openDatabase({ home, redactor }: Host): Promise<SessionDatabase> {
  await mkdir(home.root, { recursive: true, mode: 0o700 });
  const redacting = await redactor();
  const database = await openSessionDatabase(home.file('state.db'), { clean: cleanStored(redacting) });
  return redactingSessions(database, redacting);
}

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { backoffMs } from '#kit/backoff';
import { fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import { redact } from '#kit/redact';
import type { Tool } from '#spec/ports';
import { workingFolder } from './connect.ts';
import type { McpClientDeps } from './mcp-client-deps.ts';
import { mcpSecrets, tokenSecrets } from './mcp-secrets.ts';
import type { McpServerConfig } from './mcp-server-config.ts';
import { mcpTool, type ServerAccess } from './mcp-tool.ts';
import type { TokenStore } from './oauth/sign-in.ts';
import { judgeCall, judgeTool } from './permissions/judge-call.ts';
import { type HiddenPlace, judgeHidden } from './permissions/judge-hidden.ts';
import { type LinkStatus, ServerLink } from './server-link.ts';
import { type McpServerView, viewServer } from './server-view.ts';
import { sharedTools } from './shared-tools.ts';
import { isChanged, openToolBook } from './tool-book.ts';
import type { KnownServer } from './tool-list.ts';
import { withOwnName } from './tool-name.ts';

export interface McpClientOptions extends Omit<McpClientDeps, 'now' | 'restartMs' | 'clean' | 'idleMs'> {
  readonly servers: readonly McpServerConfig[];
  readonly now?: () => number;
  readonly restartMs?: (restart: number) => number;
  /** Ten minutes unless said otherwise. */
  readonly idleMs?: number;
  /** How long a server that nothing is known of yet may take until `tools` goes on without it. */
  readonly discoveryMs?: number;
}

export interface McpServerStatus extends LinkStatus {
  readonly server: string;
  readonly tools: number;
  /** Tools that say something else than what was accepted. */
  readonly changed: readonly string[];
}

/** What a server answered when it was asked for everything that it has. */
export interface McpProbe {
  /** How long it took to list its tools, once it was connected. */
  readonly ms: number;
  readonly resources: number;
  readonly prompts: number;
}

export interface McpClients {
  /** The tools of all servers that are switched on. Starts only those that nothing is known of yet. */
  tools(): Promise<readonly Tool[]>;
  status(): Promise<readonly McpServerStatus[]>;
  /** The same with what is known of each. Starts none. */
  view(): Promise<readonly (McpServerStatus & McpServerView)[]>;
  /** Opens a server anew, asks for its tools again and counts what else it has. */
  reconnect(server: string, signal: AbortSignal): Promise<McpProbe>;
  /** Starts a server if it does not run, signs in if it has to, and asks for its tools again. */
  refresh(server: string, signal?: AbortSignal): Promise<void>;
  /** Accepts the tools of a server as they describe themselves now. */
  acceptTools(server: string): Promise<void>;
  /** The end of what the process of a server wrote to its standard error. */
  output(server: string): string;
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;
const DISCOVERY_MS = 15_000;
const IDLE_MS = 600_000;

/** Clients of all servers of `mcp_config.json`. Nothing is started before it is needed. */
export function openMcpClients(options: McpClientOptions): McpClients {
  const deps = depsOf(options);
  const servers = new Map(options.servers.map((config) => [config.name, accessOf(config, deps)]));
  const enabled = new Map(
    [...servers].filter(([, { link }]) => !link.config.disabled && link.config.missing.length === 0),
  );
  const find = (name: string): ServerAccess => {
    const found = servers.get(name);
    if (found) return found;
    const close = nearest(name, servers.keys());
    throw fail('input.invalid', `There is no MCP server ${name}.${close ? ` Did you mean ${close}?` : ''}`);
  };
  const relist = async ({ link, book }: ServerAccess, signal: AbortSignal) =>
    link.request((client) => book.learn(client), signal);
  return {
    async tools() {
      const listed = await Promise.all(
        [...enabled.values()].map(async (access) => {
          if (!(await access.book.known())) await discover(access, deps, options.discoveryMs ?? DISCOVERY_MS);
          return toolsOf(access);
        }),
      );
      const own = withOwnName(listed.flat(), (name) =>
        deps.log({ server: '', text: `${name} is the name of several tools: none of them is offered` }),
      );
      return [...own, ...sharedTools(enabled, deps.clean)];
    },
    status: () => Promise.all([...servers].map(([name, access]) => statusOf(name, access))),
    view: () =>
      Promise.all(
        [...servers].map(async ([name, access]) => ({
          ...(await statusOf(name, access)),
          ...viewServer(access, await access.book.known()),
        })),
      ),
    async reconnect(server, signal) {
      const access = find(server);
      await access.link.reset();
      return probe(access, signal);
    },
    refresh: (server, signal = NEVER) => relist(find(server), signal),
    acceptTools: (server) => find(server).book.accept(),
    output: (server) => find(server).link.output(),
    async close() {
      await Promise.all([...servers.values()].map(({ link }) => link.close()));
    },
  };
}

function depsOf(options: McpClientOptions): McpClientDeps {
  const secrets = new Set(mcpSecrets(options.servers));
  const clean = (text: string): string => redact(text, [...secrets]);
  const note = (stored: unknown): void => {
    for (const secret of tokenSecrets(stored)) secrets.add(secret);
  };
  return {
    ...options,
    clean,
    tokens: notedTokens(options.tokens, note),
    log: (event) => options.log({ ...event, text: clean(event.text) }),
    now: options.now ?? Date.now,
    idleMs: options.idleMs ?? IDLE_MS,
    restartMs: options.restartMs ?? ((restart) => backoffMs(restart, Math.random) / 4),
  };
}

/** No token is used that did not come by here. */
const notedTokens = (tokens: TokenStore, note: (stored: unknown) => void): TokenStore => ({
  async read(server) {
    const stored = await tokens.read(server);
    note(stored);
    return stored;
  },
  async write(server, value) {
    note(value);
    await tokens.write(server, value);
  },
});

function accessOf(config: McpServerConfig, deps: McpClientDeps): ServerAccess {
  const book = openToolBook(config, deps.cache, deps.now);
  const link = new ServerLink(config, deps, (client) => book.learn(client));
  const local = config.reach.kind === 'stdio';
  const place = () => ({ local, cwd: local ? workingFolder(config, deps) : '/' });
  return {
    link,
    book,
    clean: deps.clean,
    judge(tool, input, permissions = config.permissions) {
      const refuse = judgeHidden(input, deps.hidden, hiddenPlace(config, deps));
      return refuse === undefined ? judgeCall(tool, input, permissions, place()) : { refuse };
    },
  };
}

/** Where the relative paths of a server may start: its folder, the roots, and every folder that its entry names. */
function hiddenPlace(config: McpServerConfig, deps: McpClientDeps): HiddenPlace {
  const { reach, permissions } = config;
  const args = reach.kind === 'stdio' ? reach.args : [];
  const own = reach.kind === 'stdio' ? reach.env.HOME : undefined;
  const named = args
    .map((arg) => arg.replace(/^--?[\w-]+=/, ''))
    .filter((arg) => isAbsolute(arg) && isFolder(arg));
  return {
    bases: [workingFolder(config, deps), ...deps.roots(), ...named, ...(permissions.allowedPaths ?? [])],
    homes: [...new Set([own, deps.environment.HOME, homedir()].filter((home) => home !== undefined))],
  };
}

/** Nothing lies in a file, and what cannot be looked at is not there. */
const isFolder = (path: string): boolean => existsSync(`${path}/.`);

/** A first look at a server. One that is slow or broken is left out; its status tells why. */
async function discover({ link }: ServerAccess, deps: McpClientDeps, ms: number): Promise<void> {
  try {
    await link.request(async () => undefined, AbortSignal.timeout(ms));
  } catch (error) {
    deps.log({ server: link.config.name, text: `its tools are not known yet: ${String(error)}` });
  }
}

async function probe({ link, book }: ServerAccess, signal: AbortSignal): Promise<McpProbe> {
  // Starting it is not its answer's time.
  await link.request(async () => undefined, signal);
  const began = performance.now();
  await link.request((client) => book.learn(client), signal);
  const ms = Math.round(performance.now() - began);
  const { resources = false, prompts = false } = book.now() ?? {};
  const timeout = link.config.timeoutMs;
  return link.request(
    async (client, stop) => ({
      ms,
      resources: resources ? (await client.listResources({}, { signal: stop, timeout })).resources.length : 0,
      prompts: prompts ? (await client.listPrompts({}, { signal: stop, timeout })).prompts.length : 0,
    }),
    signal,
  );
}

function toolsOf(access: ServerAccess): Tool[] {
  const { link, book } = access;
  const { permissions } = link.config;
  const offered = (book.now()?.tools ?? []).filter((tool) => judgeTool(tool.name, permissions) === undefined);
  // A server that lists a tool twice means the first one.
  const byName = new Map(offered.toReversed().map((tool) => [tool.name, tool]));
  return [...byName.values()].toReversed().map((tool) => mcpTool(tool, access));
}

async function statusOf(server: string, { link, book }: ServerAccess): Promise<McpServerStatus> {
  const known: KnownServer | undefined = await book.known();
  return {
    server,
    ...link.status(),
    tools: known?.tools.length ?? 0,
    changed: known ? known.tools.filter((tool) => isChanged(known, tool)).map(({ name }) => name) : [],
  };
}

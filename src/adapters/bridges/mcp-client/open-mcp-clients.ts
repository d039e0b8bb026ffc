import { backoffMs } from '#kit/backoff';
import { fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import type { Tool } from '#spec/ports';
import { workingFolder } from './connect.ts';
import type { McpClientDeps } from './mcp-client-deps.ts';
import type { McpServerConfig } from './mcp-server-config.ts';
import { mcpTool, type ServerAccess, toolName } from './mcp-tool.ts';
import { judgeTool } from './permissions/judge-call.ts';
import { type LinkStatus, ServerLink } from './server-link.ts';
import { sharedTools } from './shared-tools.ts';
import { isChanged, openToolBook } from './tool-book.ts';
import type { KnownServer } from './tool-list.ts';

export interface McpClientOptions extends Omit<McpClientDeps, 'now' | 'restartMs'> {
  readonly servers: readonly McpServerConfig[];
  readonly now?: () => number;
  readonly restartMs?: (restart: number) => number;
  /** How long a server that nothing is known of yet may take until `tools` goes on without it. */
  readonly discoveryMs?: number;
}

export interface McpServerStatus extends LinkStatus {
  readonly server: string;
  readonly tools: number;
  /** Tools that say something else than what was accepted. */
  readonly changed: readonly string[];
}

export interface McpClients {
  /** The tools of all servers that are switched on. Starts only those that nothing is known of yet. */
  tools(): Promise<readonly Tool[]>;
  status(): Promise<readonly McpServerStatus[]>;
  /** Starts a server if it does not run, signs in if it has to, and asks for its tools again. */
  refresh(server: string): Promise<void>;
  /** Accepts the tools of a server as they describe themselves now. */
  acceptTools(server: string): Promise<void>;
  /** The end of what the process of a server wrote to its standard error. */
  output(server: string): string;
  close(): Promise<void>;
}

const DISCOVERY_MS = 15_000;

/** Clients of all servers of `mcp_config.json`. Nothing is started before it is needed. */
export function openMcpClients(options: McpClientOptions): McpClients {
  const now = options.now ?? Date.now;
  const deps: McpClientDeps = {
    ...options,
    now,
    restartMs: options.restartMs ?? ((restart) => backoffMs(restart, Math.random) / 4),
  };
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
      return [...listed.flat(), ...sharedTools(enabled)];
    },
    status: () => Promise.all([...servers].map(([name, access]) => statusOf(name, access))),
    refresh: (server) => relist(find(server), new AbortController().signal),
    acceptTools: (server) => find(server).book.accept(),
    output: (server) => find(server).link.output(),
    async close() {
      await Promise.all([...servers.values()].map(({ link }) => link.close()));
    },
  };
}

function accessOf(config: McpServerConfig, deps: McpClientDeps): ServerAccess {
  const book = openToolBook(config, deps.cache, deps.now);
  const link = new ServerLink(config, deps, (client) => book.learn(client));
  const local = config.reach.kind === 'stdio';
  return { link, book, place: () => ({ local, cwd: local ? workingFolder(config, deps) : '/' }) };
}

/** A first look at a server. One that is slow or broken is left out; its status tells why. */
async function discover({ link }: ServerAccess, deps: McpClientDeps, ms: number): Promise<void> {
  try {
    await link.request(async () => undefined, AbortSignal.timeout(ms));
  } catch (error) {
    deps.log({ server: link.config.name, text: `its tools are not known yet: ${String(error)}` });
  }
}

function toolsOf(access: ServerAccess): Tool[] {
  const { link, book } = access;
  const { permissions, name } = link.config;
  const offered = (book.now()?.tools ?? []).filter((tool) => judgeTool(tool.name, permissions) === undefined);
  // Of two tools that would have one name, the first is offered.
  const byName = new Map(offered.toReversed().map((tool) => [toolName(name, tool.name), tool]));
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

import { MCP_SCOPES, type McpClients, type McpProbe, servedTools } from '#adapters/bridges';
import { fail, toErrorRecord } from '#kit/app-error';
import { mcpServed } from '#app/agent-api';
import type { Host } from '../open-host.ts';
import { knownSecrets } from '../secret-values.ts';
import { redactDeep } from '#kit/redact';
import type * as api from '#spec/api';

type Needs = Pick<Host, 'database' | 'gate' | 'home' | 'loaded' | 'mcp'>;

type HomeMcp = api.Given<api.Mcp>;

export interface HostMcpView {
  view(): Promise<HomeMcp>;
  /** Throws `input.not_found` for a server that is not in the file, and what it failed with. */
  reconnect(server: string): Promise<HomeMcp>;
}

const RECONNECT_MS = 60_000;

/** The MCP servers of a home as people look at them. Looking starts none of them. */
export async function openMcpView(host: Needs, cwd: string): Promise<HostMcpView> {
  const { home, loaded } = host;
  const secrets = await knownSecrets(home, loaded);
  const probes = new Map<string, McpProbe & { readonly at: number }>();
  const view = async (): Promise<HomeMcp> => {
    const opened = await open(host, cwd);
    const servers = (await opened.clients?.view()) ?? [];
    const found: HomeMcp = {
      file: 'mcp_config.json',
      configured: opened.clients !== undefined || opened.problem !== undefined,
      ...(opened.problem === undefined ? {} : { problem: opened.problem }),
      servers: servers.map((server) => {
        const probe = probes.get(server.server);
        const output = server.state === 'failed' ? opened.clients?.output(server.server).trim() : '';
        return { ...server, ...(probe ? { probe } : {}), ...(output ? { output } : {}) };
      }),
      served: {
        scopes: MCP_SCOPES,
        tools: servedTools(mcpServed(host)).map(({ name, description, scope, readOnly }) => ({
          name,
          description,
          scope,
          readOnly,
        })),
        token: Boolean(loaded.env['HERMES_MCP_TOKEN']),
      },
    };
    return redactDeep(found, secrets);
  };
  return {
    view,
    reconnect: async (server) => {
      const { clients } = await open(host, cwd);
      const known = (await clients?.status())?.some((one) => one.server === server);
      if (!clients || !known)
        throw fail('input.not_found', `There is no MCP server '${server}' in mcp_config.json.`);
      try {
        const probe = await clients.reconnect(server, AbortSignal.timeout(RECONNECT_MS));
        probes.set(server, { ...probe, at: Date.now() });
      } catch {
        // The status of the server says what went wrong.
        probes.delete(server);
      }
      return view();
    },
  };
}

/** A file that cannot be read is shown as such: the page is where somebody looks for the reason. */
async function open(
  host: Needs,
  cwd: string,
): Promise<{ readonly clients?: McpClients | undefined; readonly problem?: string }> {
  try {
    return { clients: await host.mcp(cwd) };
  } catch (thrown) {
    const { message, hint } = toErrorRecord(thrown);
    return { problem: [message, hint].filter(Boolean).join(' ') };
  }
}

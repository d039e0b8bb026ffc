import { type McpClients, mcpSecrets, openMcpClients, parseMcpConfig, tokenSecrets } from '#adapters/bridges';
import { openWebClient, webFetch } from '#adapters/net';
import { readText, atomicWrite, withFileLock } from '#adapters/store';
import type { AskModel, Logger } from '#spec/ports';
import { atItsPlace, readJsonc } from '#config';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { isRecord } from '#kit/is-record';

export interface HostMcpOptions {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly version: string;
  /** The folder that servers are told of. */
  readonly cwd: string;
  readonly sample: AskModel;
  readonly log: Logger;
  /** Shows a person the address at which to sign in. Without it, nobody can. */
  readonly openBrowser?: ((url: string) => Promise<void>) | undefined;
}

/** The servers of `mcp_config.json`; undefined where there is no such file. None is started before it is needed. */
export async function hostMcp(options: HostMcpOptions): Promise<McpClients | undefined> {
  const { home, loaded, version, cwd, sample, log, openBrowser } = options;
  const servers = await readServers(home, loaded);
  if (servers === undefined) return undefined;
  const web = openWebClient({ allowPrivate: loaded.config.web.allow_private });
  const clients = openMcpClients({
    servers,
    version,
    cache: jsonBook(home.file('mcp_cache.json')),
    tokens: jsonBook(home.file('mcp_tokens.json')),
    roots: () => [cwd],
    environment: loaded.env,
    fetch,
    fetchElsewhere: webFetch(web),
    hidden: [home.base, home.root],
    sample,
    ...(openBrowser ? { openBrowser } : {}),
    log: ({ server, text, calm }) =>
      calm ? log.info('mcp.told', { server, text }) : log.warn('mcp.told', { server, text }),
  });
  const close = async () => {
    await clients.close();
    await web.close();
  };
  return { ...clients, close };
}

/** The secrets that stand in `mcp_config.json`, and those that signing in at its servers has left. */
export async function mcpSecretValues(home: Home, loaded: LoadedConfig): Promise<string[]> {
  // A file that cannot be read starts no server, so that none of its values is in use; who asks for MCP is told of it.
  const servers = (await readServers(home, loaded).catch(() => undefined)) ?? [];
  const tokens = jsonBook(home.file('mcp_tokens.json'));
  const stored = await Promise.all(servers.map(({ name }) => tokens.read(name)));
  return [...new Set([...mcpSecrets(servers), ...stored.flatMap(tokenSecrets)])];
}

async function readServers(home: Home, { env }: LoadedConfig) {
  const path = home.file('mcp_config.json');
  const text = await readText(path);
  if (text === undefined) return undefined;
  const json = readJsonc(text, path);
  return atItsPlace(path, json, () => parseMcpConfig(json.data, env));
}

/** Values by name in one JSON file, private to its owner. A file that cannot be read counts as empty. */
function jsonBook(path: string) {
  const read = async (): Promise<Record<string, unknown>> => {
    const text = await readText(path);
    try {
      const value: unknown = JSON.parse(text ?? '{}');
      return isRecord(value) ? value : {};
    } catch {
      // It only saves work: what is lost is found out again.
      return {};
    }
  };
  return {
    read: async (name: string): Promise<unknown> => (await read())[name],
    write: (name: string, value: unknown): Promise<void> =>
      withFileLock(path, async () => {
        await atomicWrite(path, `${JSON.stringify({ ...(await read()), [name]: value }, null, 2)}\n`);
      }),
  };
}

import { type McpClients, openMcpClients, parseMcpConfig } from '#adapters/bridges';
import { readText } from '#adapters/store';
import { fail } from '#kit/app-error';
import type { AskModel } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { jsonBook } from './json-book.ts';

export interface HostMcpOptions {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly version: string;
  /** The folder that servers are told of. */
  readonly cwd: string;
  readonly sample: AskModel;
}

/** The servers of `mcp_config.json`; undefined where there is no such file. None is started before it is needed. */
export async function hostMcp(options: HostMcpOptions): Promise<McpClients | undefined> {
  const { home, loaded, version, cwd, sample } = options;
  const path = home.file('mcp_config.json');
  const text = await readText(path);
  if (text === undefined) return undefined;
  return openMcpClients({
    servers: parseMcpConfig(parseJson(text, path), loaded.env),
    version,
    cache: jsonBook(home.file('mcp_cache.json')),
    tokens: jsonBook(home.file('mcp_tokens.json')),
    roots: () => [cwd],
    environment: loaded.env,
    fetch,
    sample,
    log: () => undefined,
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail('config.invalid', `${path}: ${(cause as Error).message}`, 'It has to be JSON.', cause);
  }
}

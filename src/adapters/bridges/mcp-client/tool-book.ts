import type { Client } from '@modelcontextprotocol/client';
import type { ToolCache } from './mcp-client-deps.ts';
import type { McpServerConfig } from './mcp-server-config.ts';
import { hashOf, KnownServer, type KnownTool, knownTools } from './tool-list.ts';

/**
 * What is known of the tools of one server. A tool is pinned as it was first seen; one that says something else later
 * counts as changed until somebody accepts it.
 */
export interface ToolBook {
  /** From the cache, or from the server if it has been asked in this process. */
  known(): Promise<KnownServer | undefined>;
  /** The same, as far as it is at hand. */
  now(): KnownServer | undefined;
  /** Asks the server and remembers the answer. */
  learn(client: Client): Promise<void>;
  /** Takes every tool as it is now. */
  accept(): Promise<void>;
}

export const isChanged = ({ pins }: KnownServer, { name, hash }: KnownTool): boolean =>
  pins[name] !== undefined && pins[name] !== hash;

export function openToolBook(config: McpServerConfig, cache: ToolCache, now: () => number): ToolBook {
  const { kind, ...where } = config.reach;
  // Secrets may change without the server becoming another one.
  const entry = hashOf('command' in where ? [kind, where.command, where.args] : [kind, where.url]);
  let current: KnownServer | undefined;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const stored = KnownServer.safeParse(await cache.read(config.name));
    if (stored.success && stored.data.entry === entry) current ??= stored.data;
  };
  const known = async (): Promise<KnownServer | undefined> => {
    await (reading ??= read());
    return current;
  };
  const keep = async (next: KnownServer): Promise<void> => {
    const before = current;
    current = next;
    if (!before || hashOf({ ...before, at: 0 }) !== hashOf({ ...next, at: 0 }))
      await cache.write(config.name, next);
  };
  return {
    known,
    now: () => current,
    async learn(client) {
      const { tools } = await client.listTools(
        {},
        { cacheMode: 'refresh', timeout: config.connectTimeoutMs },
      );
      const before = await known();
      const seen = knownTools(tools);
      const first = Object.fromEntries(seen.map(({ name, hash }) => [name, hash]));
      const capabilities = client.getServerCapabilities();
      await keep({
        entry,
        tools: seen,
        pins: { ...first, ...before?.pins },
        resources: capabilities?.resources !== undefined,
        prompts: capabilities?.prompts !== undefined,
        at: now(),
      });
    },
    async accept() {
      const before = await known();
      if (!before) return;
      const pins = Object.fromEntries(before.tools.map(({ name, hash }) => [name, hash]));
      await keep({ ...before, pins });
    },
  };
}

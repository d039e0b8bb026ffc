import { existsSync } from 'node:fs';
import { looksSecret } from '#kit/looks-secret';
import { secretsIn } from './config/secrets.ts';
import type { LoadedConfig } from './config/load-config.ts';
import { ROOT } from './config/schema.ts';
import type { Home } from './home.ts';

/** Shorter ones stand in ordinary words as well. */
const SHORTEST = 6;
const PASSWORD_IN_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i;

/** The same, with those of MCP servers. */
export async function knownSecrets(home: Home, loaded: LoadedConfig): Promise<string[]> {
  const own = secretValues(loaded);
  if (!existsSync(home.file('mcp_config.json'))) return own;
  const { mcpSecretValues } = await import('./mcp/host-mcp.ts');
  return [...new Set([...own, ...(await mcpSecretValues(home, loaded))])];
}

/** Every secret that this home knows: whatever is shown, sent or written down must not have them in it. */
export function secretValues({ env, envFile, config }: LoadedConfig): string[] {
  const named = Object.entries(env).flatMap(([name, value]) => [
    ...(looksSecret(name) && !value.startsWith('/') ? [value] : []),
    ...(PASSWORD_IN_ADDRESS.exec(value)?.slice(1) ?? []),
  ]);
  const configured = secretsIn(config, ROOT).map(({ value }) => value);
  const found = new Set([...named, ...Object.values(envFile), ...configured]);
  return [...found].filter((value) => value.length >= SHORTEST);
}

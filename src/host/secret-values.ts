import { existsSync } from 'node:fs';
import { looksSecret } from '#kit/looks-secret';
import type { KnownSecrets } from '#kit/redact';
import { ROOT, secretsIn } from '#config';
import type { LoadedConfig } from './config/load-config.ts';
import type { Home } from './home.ts';

/** Shorter ones stand in ordinary words as well. */
const SHORTEST = 6;
const PASSWORD_IN_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i;
/** What plainly is a setting, by its value or its name: hidden, it would be missing from everything. */
const ORDINARY = /^(?:[a-z][a-z0-9+.-]*:\/\/.*|[./~].*|[\d.,:]+|[a-z]+|(?:[\w-]+\.)*[\w-]+:\d+)$/i;
const SETTING =
  /(?:^|_)(?:url|uri|host|port|model|name|region|zone|env|environment|mode|level|service|namespace|path|dir|user|timeout|enabled|provider|backend|language|lang|tz|format|endpoint|address|server|cluster|project|org|team|channel|version)s?$/i;

interface Named {
  readonly name: string;
  readonly value: string;
}

/** The same, with those of MCP servers. */
export async function knownSecrets(home: Home, loaded: LoadedConfig): Promise<KnownSecrets> {
  const own = secretValues(loaded);
  if (!existsSync(home.file('mcp_config.json'))) return own;
  const { mcpSecretValues } = await import('./mcp/host-mcp.ts');
  const known = new Set(own.map(({ value }) => value));
  const servers = (await mcpSecretValues(home, loaded)).filter((value) => !known.has(value));
  return [...own, ...servers.map((value) => ({ name: 'mcp', value }))];
}

/** Every secret that this home knows: whatever is shown, sent or written down must not have them in it. */
export function secretValues({ env, envFile, config }: LoadedConfig): Named[] {
  const found = new Map<string, Named>();
  const add = (name: string, value: string): void => {
    if (value.length >= SHORTEST && !found.has(value)) found.set(value, { name, value });
  };
  for (const [name, value] of Object.entries(envFile)) {
    if (looksSecret(name) || !(SETTING.test(name) || ORDINARY.test(value))) add(name, value);
  }
  for (const [name, value] of Object.entries(env)) {
    if (looksSecret(name) && !value.startsWith('/')) add(name, value);
    for (const password of PASSWORD_IN_ADDRESS.exec(value)?.slice(1) ?? []) add(name, password);
  }
  for (const { path, value } of secretsIn(config, ROOT)) add(path.join('.'), value);
  return [...found.values()];
}

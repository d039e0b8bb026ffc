import { createHash } from 'node:crypto';
import { providers } from '#adapters/models';
import { type AppError, fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import { tell } from '#kit/text';
import type { Credential, Provider } from '#spec/ports';
import { LOCAL } from '#app/models';
import type { Config } from '#config';

/** Providers in the order in which a key that is already set makes one the default. */
const PREFERRED = ['anthropic', 'openai', 'openrouter', 'gemini', 'deepseek', 'dashscope', 'kimi', 'glm'];

type Env = Readonly<Record<string, string | undefined>>;

/** Every provider that can be named: the user's own first, since they may replace a built-in one. */
export function providerIds(config: Config): string[] {
  return [...new Set([...Object.keys(config.providers), ...Object.keys(providers)])];
}

/** `more`: providers that plugins bring. */
export async function findProvider(
  id: string,
  config: Config,
  more: readonly Provider[] = [],
): Promise<Provider> {
  const own = config.providers[id];
  const builtIn = providers[id as keyof typeof providers];
  if (own) return ownProvider(id, own);
  if (builtIn) return builtIn();
  const brought = more.find((provider) => provider.id === id);
  if (brought) return brought;
  throw noProvider(id, [...providerIds(config), ...more.map((provider) => provider.id), LOCAL]);
}

function noProvider(id: string, known: readonly string[]): AppError {
  const meant = nearest(id, known);
  return fail(
    'config.invalid',
    `there is no provider called '${id}'${meant ? `; did you mean '${meant}'?` : ''}`,
    'hermes model list --all shows every provider',
  );
}

function ownProvider(id: string, own: Config['providers'][string]): Provider {
  return {
    id,
    label: id,
    endpoints: { [own.api_mode ?? 'chat_completions']: own.base_url },
    auth: own.auth ?? 'bearer',
    keys: [],
    selfHosted: own.self_hosted ?? false,
    ...(own.model ? { defaultModel: own.model } : {}),
    ...(own.headers ? { headers: own.headers } : {}),
    dialect: { maxTokens: 'max_tokens' },
  };
}

/** The first provider whose key is in the environment. */
export async function providerWithKey(env: Env): Promise<string | undefined> {
  return (await providersWithKeys(env))[0];
}

export async function providersWithKeys(env: Env): Promise<string[]> {
  const known = await Promise.all(Object.values(providers).map((load) => load()));
  const found = known.filter(({ keys, selfHosted }) => !selfHosted && keys.some((name) => env[name]));
  const rank = (id: string) => (PREFERRED.indexOf(id) + PREFERRED.length + 1) % (PREFERRED.length + 1);
  return found.map(({ id }) => id).toSorted((a, b) => rank(a) - rank(b));
}

/** The keys to call a provider with: those set in the configuration, else the first of its usual variables. */
export function credentialsFor(
  provider: Provider,
  configured: readonly (string | undefined)[],
  env: Env,
): Credential[] {
  const set = configured.flatMap((secret, index) =>
    secret
      ? [credential(index === 0 ? `${provider.id} key` : `${provider.id} key ${index + 1}`, secret)]
      : [],
  );
  if (set.length) return set;
  const name = provider.keys.find((key) => env[key]);
  return name ? [credential(name, env[name] as string)] : [];
}

function credential(label: string, secret: string): Credential {
  const mark = createHash('sha256').update(secret).digest('hex').slice(0, 8);
  return { id: `${label}#${mark}`, label, secret };
}

export function missingKey(provider: Provider): Error {
  const { label, keys, keysUrl } = provider;
  return fail(
    'model.unconfigured',
    tell(`${label} needs a key, and none is set`, `${label} 需要密钥，但尚未设置`),
    tell(
      `Set ${keys.join(' or ') || 'api_key'} in the environment, or: hermes config set llm.api_key <key>.${keysUrl ? ` Keys are made at ${keysUrl}.` : ''}`,
      `在环境变量中设置 ${keys.join(' 或 ') || 'api_key'}，或运行 hermes config set llm.api_key <key>。${keysUrl ? `密钥在 ${keysUrl} 创建。` : ''}`,
    ),
  );
}

/** Holds a key that was set before anybody said whose it is. Nothing reads it by itself. */
const KEY_OF_NOBODY = 'LLM_API_KEY';

/**
 * Throws `config.invalid` where the configuration names a provider that does not exist, with the one that may be meant.
 * Plugins bring providers too; where there are any, only they can tell, when they are loaded.
 */
export function checkProviders(config: Config, hasPlugins: boolean): void {
  if (hasPlugins) return;
  const known = [...providerIds(config), LOCAL];
  const named = [config.llm.provider, ...config.llm.fallback.map(({ provider }) => provider)];
  for (const id of named) if (id !== undefined && !known.includes(id)) throw noProvider(id, known);
}

/** Names the variable that keeps a key: the usual one of its provider, or one named after the provider. */
export async function secretNamer(): Promise<(config: Config, path: string) => string> {
  const known = await Promise.all(Object.values(providers).map((load) => load()));
  const usual = new Map(known.map(({ id, keys }) => [id, keys[0]]));
  return (config, path) => {
    if (path.startsWith('memory.')) return 'HERMES_EMBED_API_KEY';
    const own = /^providers\.([^.]+)\./.exec(path)?.[1];
    const nth = /^llm\.fallback\[(\d+)\]/.exec(path)?.[1];
    const named = own ?? (nth ? config.llm.fallback[Number(nth)]?.provider : config.llm.provider);
    if (named === undefined && path === 'llm.api_key') return KEY_OF_NOBODY;
    const id = named ?? 'custom';
    return (own ? undefined : usual.get(id)) ?? `${id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`;
  };
}

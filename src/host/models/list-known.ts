import { describeModel, listModels, locate } from '#adapters/models';
import type { ModelInfo } from '#spec/data';
import type { ListedModel } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import { credentialsFor, findProvider, providerIds, providersWithKeys } from './find-provider.ts';

/** A provider as a list shows it. */
export interface ProviderView {
  readonly id: string;
  readonly label: string;
  readonly ready: 'key set' | 'answers' | 'no key' | 'not running' | 'needs address';
  readonly defaultModel?: string;
  readonly keyNames: readonly string[];
  readonly models?: readonly ListedModel[];
}

/** Every provider with what stands between it and an answer. Servers of the user's own are asked. */
export async function viewProviders(loaded: LoadedConfig, signal: AbortSignal): Promise<ProviderView[]> {
  const views = providerIds(loaded.config).map((id) => viewProvider(id, loaded, signal));
  return Promise.all(views);
}

async function viewProvider(
  id: string,
  { config, env }: LoadedConfig,
  signal: AbortSignal,
): Promise<ProviderView> {
  const provider = await findProvider(id, config);
  const isPrimary = config.llm.provider === id;
  const configured = [isPrimary ? config.llm.api_key : undefined, config.providers[id]?.api_key];
  const [credential] = credentialsFor(provider, configured, env);
  const base = {
    id,
    label: provider.label,
    keyNames: provider.keys,
    ...(provider.defaultModel ? { defaultModel: provider.defaultModel } : {}),
  };
  if (!provider.selfHosted) {
    const ready = credential || provider.auth === 'none' ? 'key set' : 'no key';
    return { ...base, ready };
  }
  const baseUrl = isPrimary ? config.llm.base_url : undefined;
  const place = tryLocate(() => locate(provider, '', { baseUrl }, env));
  if (!place) return { ...base, ready: 'needs address' };
  const models = await listModels(provider, place.baseUrl, credential, env, signal);
  return { ...base, ready: models ? 'answers' : 'not running', ...(models ? { models } : {}) };
}

/** Providers for which a key was found, and model servers that answer on this machine. */
export async function modelsAtHand(
  loaded: LoadedConfig,
): Promise<{ readonly keys: readonly string[]; readonly servers: readonly string[] }> {
  const views = await viewProviders(loaded, AbortSignal.timeout(1_000));
  return {
    keys: await providersWithKeys(loaded.env),
    servers: views.filter(({ ready }) => ready === 'answers').map(({ label }) => label),
  };
}

/** The models of one provider, as its server lists them, with what is known of each. */
export async function listProviderModels(
  id: string,
  loaded: LoadedConfig,
  signal: AbortSignal,
): Promise<readonly ModelInfo[] | undefined> {
  const { config, env } = loaded;
  const provider = await findProvider(id, config);
  const isPrimary = config.llm.provider === id;
  const settings = { baseUrl: isPrimary ? config.llm.base_url : undefined };
  const { baseUrl, protocol } = locate(provider, provider.defaultModel ?? '', settings, env);
  const configured = [isPrimary ? config.llm.api_key : undefined, config.providers[id]?.api_key];
  const [credential] = credentialsFor(provider, configured, env);
  const listed = await listModels(provider, baseUrl, credential, env, signal);
  return listed?.map((model) => {
    const price = config.prices[model.id];
    return describeModel(provider, model.id, protocol, { price }, model.contextWindow);
  });
}

/** An address that needs a variable which is not set is an answer here, not an error. */
function tryLocate<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

import type { LoadedConfig } from '../config/load-config.ts';
import { providersWithKeys } from './find-provider.ts';
import { viewProviders } from './list-known.ts';

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

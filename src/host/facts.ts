import { existsSync } from 'node:fs';
import type { OperatorFacts } from '#adapters/models';
import type { LoadedConfig } from './config/load-config.ts';
import type { Home } from './home.ts';
import { LOCAL } from '#app/models';
import { providersWithKeys } from './models/find-provider.ts';
import { viewProviders } from './models/list-known.ts';

/** What the built-in operator may say about this installation. */
export async function gatherFacts(version: string, home: Home, loaded: LoadedConfig): Promise<OperatorFacts> {
  const { provider, model } = loaded.config.llm;
  const views = await viewProviders(loaded, AbortSignal.timeout(1_000));
  const configured = provider && provider !== LOCAL ? [provider, model].filter(Boolean).join('/') : undefined;
  return {
    version,
    home: home.root,
    profile: home.profile,
    configPath: loaded.path,
    configExists: existsSync(loaded.path),
    ...(configured ? { model: configured } : {}),
    keysFound: await providersWithKeys(loaded.env),
    localServers: views.filter(({ ready }) => ready === 'answers').map(({ label }) => label),
    nodeVersion: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}

import { type HookTrouble, type LoadedPlugins, loadPlugins, type PluginView } from '#adapters/plugins';
import type { Env } from '#config';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { nearest } from '#kit/nearest';
import { setConfigValue } from './config/edit-config.ts';
import type { LoadedConfig } from './config/load-config.ts';
import type { Home } from './home.ts';
import type { Host } from './open-host.ts';
import { builtInTools } from './tools/built-in-tools.ts';

type Needs = Pick<Host, 'home' | 'loaded'>;

/** The plugins of a home, those that are off included. */
export async function hostPlugins(
  home: Home,
  { config, env }: LoadedConfig,
  report: (trouble: HookTrouble) => void,
  language: Language = 'en',
): Promise<LoadedPlugins> {
  const [{ providers }, { kindNames }, { slashCommandNames }] = await Promise.all([
    import('#adapters/models'),
    import('#adapters/sandboxes'),
    import('#engines/session'),
  ]);
  const tools = await builtInTools();
  return loadPlugins({
    folder: home.dir('plugins'),
    allowed: config.plugins.allowed,
    language,
    taken: {
      tools: tools.map(({ name }) => name),
      providers: [...Object.keys(providers), ...Object.keys(config.providers)],
      sandboxes: kindNames(),
      commands: slashCommandNames(),
    },
    path: env.PATH ?? '',
    report,
  });
}

/** Every plugin of the home: on, off or broken. */
export async function viewPlugins(host: Needs, language: Language): Promise<readonly PluginView[]> {
  return (await hostPlugins(host.home, host.loaded, () => undefined, language)).plugins;
}

/** Switches a plugin on exactly as it is now; when its files change, it is off until it is allowed again. */
export async function allowPlugin(host: Needs, env: Env, name: string, language: Language): Promise<void> {
  const known = await viewPlugins(host, language);
  const plugin = known.find((one) => one.name === name);
  if (!plugin?.allowance) {
    const meant = nearest(
      name,
      known.map((one) => one.name),
    );
    throw fail(
      'input.invalid',
      plugin ? `${name}: ${plugin.problem ?? 'it cannot be read'}` : `there is no plugin '${name}'`,
      meant && !plugin ? `Did you mean '${meant}'?` : 'hermes plugins list',
    );
  }
  await write(host, env, [...without(host, name), plugin.allowance]);
}

export async function disallowPlugin(host: Needs, env: Env, name: string): Promise<void> {
  await write(host, env, without(host, name));
}

const without = ({ loaded }: Needs, name: string): string[] =>
  loaded.config.plugins.allowed.filter((entry) => entry.split('@')[0] !== name);

async function write(host: Needs, env: Env, allowed: readonly string[]): Promise<void> {
  await setConfigValue(host.home, 'plugins.allowed', JSON.stringify(allowed), {
    env,
    secretName: () => 'HERMES_PLUGIN',
  });
}

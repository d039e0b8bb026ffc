import type { Language } from '#kit/language';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { builtInTools } from '../tools/built-in-tools.ts';
import type { HookTrouble } from './hooks.ts';
import { type LoadedPlugins, loadPlugins } from './load-plugins.ts';

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

import { setConfigValue } from '../config/edit-config.ts';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { nearest } from '#kit/nearest';
import type { Env } from '#config';
import type { Host } from '../open-host.ts';
import { hostPlugins } from './host-plugins.ts';
import type { PluginView } from './load-plugins.ts';

type Needs = Pick<Host, 'home' | 'loaded'>;

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

import { expect, it } from 'vitest';
import { toolViews } from '#app/tools';
import { checkConfig } from '#config';
import { builtInTools } from './built-in-tools.ts';

const PLACE = { sees: false, key: () => undefined, program: () => undefined };

async function views(config: string) {
  const checked = checkConfig(config, { file: 'config.yaml', env: {}, overrides: false });
  return toolViews(await builtInTools(), checked.config as NonNullable<typeof checked.config>, PLACE);
}

it('tells the keys that a tool looks for, one after the other', async () => {
  const all = await views('');
  const keys = Object.fromEntries(all.map(({ name, requiresEnv }) => [name, requiresEnv]));
  expect(keys['ha_get_state']).toEqual(['HASS_URL', 'HASS_TOKEN']);
  expect(keys['github']).toEqual(['GITHUB_TOKEN']);
  expect(keys['read_file']).toEqual([]);
});

it('switches toolsets of the user on and off, and single tools in them', async () => {
  const own = 'agent:\n  toolsets:\n    research: {tools: [read_file], includes: [web]}\n';
  const on = (await views(`${own}  enabled_toolsets: [research]\n`)).filter(({ off }) => !off);
  expect(on.map(({ name }) => name).toSorted()).toEqual(['read_file', 'web_extract', 'web_search']);
  const off = (await views(`${own}  disabled_toolsets: [research]\n`)).filter((tool) => tool.off);
  expect(off.map(({ name }) => name).toSorted()).toEqual(['read_file', 'web_extract', 'web_search']);
});

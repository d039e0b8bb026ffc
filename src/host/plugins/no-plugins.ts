import type { LoadedPlugins } from './load-plugins.ts';

/** What plugins bring when none is switched on: nothing is read, and no hook runs. */
export const NO_PLUGINS: LoadedPlugins = {
  plugins: [],
  tools: [],
  providers: [],
  sandboxes: [],
  commands: [],
  skills: [],
  runHooks: async (_, payload) => ({ payload }),
};

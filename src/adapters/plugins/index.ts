export type { HookTrouble } from './hooks.ts';
export { type LoadedPlugins, loadPlugins, type PluginView } from './load-plugins.ts';

import type * as Mcp from './mcp/serve-mcp.ts';
import type * as Plugins from './plugins/view-plugins.ts';
import type * as Backends from './tools/view-backends.ts';
import type * as Tools from './tools/view-tools.ts';

// What only few commands need is loaded when it is called: a start should cost nothing for it.

export const viewTools: typeof Tools.viewTools = async (...given) =>
  (await import('./tools/view-tools.ts')).viewTools(...given);

export const viewBackends: typeof Backends.viewBackends = async (...given) =>
  (await import('./tools/view-backends.ts')).viewBackends(...given);

export const viewPlugins: typeof Plugins.viewPlugins = async (...given) =>
  (await import('./plugins/view-plugins.ts')).viewPlugins(...given);

export const allowPlugin: typeof Plugins.allowPlugin = async (...given) =>
  (await import('./plugins/view-plugins.ts')).allowPlugin(...given);

export const disallowPlugin: typeof Plugins.disallowPlugin = async (...given) =>
  (await import('./plugins/view-plugins.ts')).disallowPlugin(...given);

export const serveMcp: typeof Mcp.serveMcp = async (...given) =>
  (await import('./mcp/serve-mcp.ts')).serveMcp(...given);

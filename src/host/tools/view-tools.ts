import { localView } from '../find-session.ts';
import type { Host } from '../open-host.ts';
import { builtInTools, incidentToolsOf, type ToolView, toolViews } from './all-tools.ts';
import { toolPlace } from './tool-place.ts';

/** Every tool, and what each lacks. Somebody at a terminal can be asked, so that is taken as given. */
export async function viewTools(host: Host): Promise<ToolView[]> {
  const place = toolPlace(host.loaded.env, await host.sees());
  const engines = await host.engineTools({ view: localView(), language: 'en', cwd: process.cwd() });
  return toolViews([...(await builtInTools()), ...(await incidentToolsOf(host)), ...engines], host.loaded, {
    ...place,
    ask: async () => undefined,
  });
}

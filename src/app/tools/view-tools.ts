import { localView } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { incidentToolsOf, type ToolView, toolViews } from './all-tools.ts';

type Needs = Pick<
  Dependencies,
  | 'builtInTools'
  | 'database'
  | 'engineTools'
  | 'gate'
  | 'incidentFile'
  | 'incidents'
  | 'language'
  | 'memory'
  | 'sees'
  | 'settings'
  | 'toolPlace'
>;

/** Every tool, and what each lacks. Somebody at a terminal can be asked, so that is taken as given. */
export async function viewTools(deps: Needs): Promise<ToolView[]> {
  const place = deps.toolPlace(await deps.sees());
  const engines = await deps.engineTools({ view: localView(), language: 'en', cwd: process.cwd() });
  return toolViews(
    [...(await deps.builtInTools()), ...(await incidentToolsOf(deps)), ...engines],
    deps.settings,
    {
      ...place,
      ask: async () => undefined,
    },
  );
}

import type { Missing, Tool, ToolPlace } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import type { Settings } from '../settings.ts';
import { expandToolsets } from '#kit/toolsets';

type Needs = Pick<
  Dependencies,
  'database' | 'gate' | 'incidentFile' | 'incidents' | 'language' | 'memory' | 'settings'
>;

type Toolsets = Pick<Settings, 'agent'>;

/** A tool as a person sees it: whether it works here, and what it lacks. */
export interface ToolView {
  readonly name: string;
  readonly toolset: string;
  readonly description: string;
  readonly deferred: boolean;
  /** Its toolset is switched off. */
  readonly off: boolean;
  /** Keys that it looks for, by the names of their variables; one of several may do. */
  readonly requiresEnv: readonly string[];
  readonly missing?: Missing;
}

/** The tools of the incident responder. Nothing is opened before one of them is called. */
export async function incidentToolsOf(deps: Needs): Promise<readonly Tool[]> {
  const [{ incidentTools, ruleTool }, { toolDesk }, { ruleBook }] = await Promise.all([
    import('#engines/aiops'),
    import('../incidents/tool-desk.ts'),
    import('../incidents/house-rules.ts'),
  ]);
  return [...incidentTools({ desk: toolDesk(deps), now: Date.now }), ruleTool(ruleBook(deps), deps.language)];
}

/**
 * Tools that strangers bring, without those whose name is taken: by us, or by one that came before. Otherwise a call
 * that somebody agreed to could reach another tool than the one they thought of. The notices name those left out.
 */
export function withoutNamesakes(
  tools: readonly Tool[],
  taken: readonly string[],
): { readonly tools: readonly Tool[]; readonly notices: readonly string[] } {
  const kept = new Map<string, Tool>();
  const notices: string[] = [];
  for (const tool of tools) {
    if (taken.includes(tool.name) || kept.has(tool.name))
      notices.push(`The tool ${tool.name} of ${tool.toolset} is left out: its name is taken.`);
    else kept.set(tool.name, tool);
  }
  return { tools: [...kept.values()], notices };
}

/** Those that are switched on and have what they need. */
export const workingTools = (tools: readonly Tool[], settings: Toolsets, place: ToolPlace): Tool[] =>
  tools.filter((tool) => !isOff(tool, settings) && !tool.missing?.(place));

export const toolViews = (tools: readonly Tool[], settings: Toolsets, place: ToolPlace): ToolView[] =>
  tools.map((tool) => {
    const missing = tool.missing?.(place);
    return {
      name: tool.name,
      toolset: tool.toolset,
      description: tool.description,
      deferred: tool.deferred ?? false,
      off: isOff(tool, settings),
      requiresEnv: keysOf(tool, place),
      ...(missing ? { missing } : {}),
    };
  });

function isOff({ name, toolset }: Tool, { agent }: Toolsets): boolean {
  const among = (names: readonly string[]) => {
    const all = expandToolsets(names, agent.toolsets);
    return all.has(toolset) || all.has(name);
  };
  return (
    among(agent.disabled_toolsets) || (agent.enabled_toolsets.length > 0 && !among(agent.enabled_toolsets))
  );
}

/** Stands for any key, also for one that is an address. */
const ANY_KEY = 'http://127.0.0.1';

/** The keys that a tool looks for: it is asked what it lacks where there are none, then where there are those, and so on. */
function keysOf(tool: Tool, place: ToolPlace): readonly string[] {
  const asked = new Set<string>();
  for (let known = -1; known < asked.size; ) {
    known = asked.size;
    const given = new Set(asked);
    tool.missing?.({
      ...place,
      key: (name) => {
        asked.add(name);
        return given.has(name) ? ANY_KEY : undefined;
      },
    });
  }
  return [...asked];
}

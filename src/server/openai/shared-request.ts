import type { ServedRequest } from '#app/agent-api';
import type { ClientTool, Effort, SharedRequest } from '#spec/api';
import type { ModelRequest, ToolSpec } from '#spec/data';
import type { RouteRequest } from '#spec/ports';
import { badParam } from './openai-error.ts';

/** What each API says in words of its own. */
interface OwnPart extends Pick<ServedRequest, 'instructions' | 'messages' | 'keeping'> {
  readonly tools: readonly ClientTool[];
  readonly limit: number | null | undefined;
  readonly effort: Effort;
}

/** The request as the agent takes it, whichever API it came over. */
export function servedRequest(
  { principal, trace }: RouteRequest,
  { model, tool_choice: choice, temperature }: SharedRequest,
  { tools, limit, effort, ...said }: OwnPart,
): ServedRequest {
  return {
    user: principal?.user ?? '',
    trace,
    model,
    ...said,
    tools: choice === 'none' ? [] : toolSpecs(tools),
    settings: {
      ...(typeof temperature === 'number' ? { temperature } : {}),
      ...(limit ? { maxOutput: limit } : {}),
      ...(effort ? { thinking: THINKING[effort] } : {}),
    },
  };
}

const THINKING: Readonly<Record<NonNullable<Effort>, NonNullable<ModelRequest['thinking']>>> = {
  none: 'off',
  minimal: 'off',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

function toolSpecs(tools: readonly ClientTool[]): readonly ToolSpec[] {
  const names = new Set<string>();
  return tools.map(({ name, description, parameters }, index) => {
    if (names.has(name)) throw badParam(`tools[${index}]`, `There are two tools called '${name}'.`);
    names.add(name);
    return {
      name,
      description: description ?? '',
      input: parameters ?? { type: 'object', properties: {} },
    };
  });
}

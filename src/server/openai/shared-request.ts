import { z } from 'zod';
import type { ServedRequest } from '#host';
import type { ModelRequest, ToolSpec } from '#spec/data';
import type { RouteRequest } from '#spec/ports';
import { badParam } from './openai-error.ts';

/** What both APIs ask for in the same words. */
export const SharedRequest = z.object({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tool_choice: z.enum(['auto', 'none'], 'an agent chooses its tools itself: auto or none').nullish(),
  temperature: z.number().min(0).max(2).nullish(),
});

export const Limit = z.number().int().positive().nullish();
export const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish();
export const TextOnly = z
  .object({ type: z.literal('text', 'only text is answered; ask for another form in the message') })
  .nullish();

const ToolType = z.literal('function', 'only functions can be brought along');
const ClientTool = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/, 'a name is of letters, digits, _ and -, at most 64'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});
type ClientTool = z.infer<typeof ClientTool>;
/** Tools that a client runs, as responses list them, and as chat completions do. */
export const FlatTools = z.array(z.object({ type: ToolType, ...ClientTool.shape })).nullish();
export const NestedTools = z.array(z.object({ type: ToolType, function: ClientTool })).nullish();

/** What each API says in words of its own. */
interface OwnPart extends Pick<ServedRequest, 'instructions' | 'messages' | 'keeping'> {
  readonly tools: readonly ClientTool[];
  readonly limit: z.infer<typeof Limit>;
  readonly effort: z.infer<typeof Effort>;
}

/** The request as the agent takes it, whichever API it came over. */
export function servedRequest(
  { principal, trace }: RouteRequest,
  { model, tool_choice: choice, temperature }: z.infer<typeof SharedRequest>,
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

const THINKING: Readonly<Record<NonNullable<z.infer<typeof Effort>>, NonNullable<ModelRequest['thinking']>>> =
  {
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

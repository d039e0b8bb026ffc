import { z } from 'zod';
import { type ToolSet, toolSet } from '#engines/agent';
import type { FrozenPrefix, Message, ToolSpec } from '#spec/data';
import { defineTool, type Tool } from '#spec/ports';

/** What stands in for the result of a call until whoever runs it has sent the result. */
const HANDED_OVER = 'This call was handed to the client. Its result has not come back.';

export const isHandedOver = (message: Message): boolean =>
  message.role === 'tool' &&
  message.content.length === 1 &&
  message.content[0]?.type === 'text' &&
  message.content[0].text === HANDED_OVER;

/**
 * A tool that the client runs: calling it ends the turn. `isOfModel` tells the calls of the model from those that other
 * tools make, for which nobody could wait.
 */
export const clientTool = ({ name, description }: ToolSpec, isOfModel: (call: string) => boolean): Tool =>
  defineTool({
    name,
    toolset: 'client',
    description,
    input: z.record(z.string(), z.unknown()),
    effect: () => 0,
    deed: () => ({ brings: ['untrusted'] }),
    run: async (_, { call }) =>
      isOfModel(call)
        ? { content: [{ type: 'text', text: HANDED_OVER }], summary: 'handed to the client', endsTurn: true }
        : {
            content: [{ type: 'text', text: `Only you can call ${name}: it runs at the client.` }],
            summary: `${name} runs at the client`,
            isError: true,
          },
  });

/** Our tools with those of the client beside them. Where names meet, the client means its own. */
export function withClientTools(ours: ToolSet, theirs: readonly Tool[]): ToolSet {
  if (!theirs.length) return ours;
  const taken = new Set(theirs.map(({ name }) => name));
  const kept = ours.names.filter((name) => !taken.has(name)).flatMap((name) => ours.find(name) ?? []);
  return toolSet([...kept, ...theirs]);
}

const INSTRUCTIONS = '# Instructions of the client\n\n';

/** The prefix with what the client brings at its end: what stays the same for all of them comes first. */
export function withClientPart(
  prefix: FrozenPrefix,
  instructions: string | undefined,
  specs: readonly ToolSpec[],
): FrozenPrefix {
  const taken = new Set(specs.map(({ name }) => name));
  const text = instructions?.trim();
  return {
    system: [...prefix.system, ...(text ? [{ text: `${INSTRUCTIONS}${text}` }] : [])],
    tools: [...prefix.tools.filter(({ name }) => !taken.has(name)), ...specs],
  };
}

/** What the client brought to a stored prefix. `ours`: names of tools that are no client's. */
export function clientPartOf(
  { system, tools }: FrozenPrefix,
  ours: readonly string[],
): { readonly instructions: string | undefined; readonly tools: readonly ToolSpec[] } {
  const last = system.at(-1)?.text ?? '';
  const instructions = last.startsWith(INSTRUCTIONS) ? last.slice(INSTRUCTIONS.length) : undefined;
  return { instructions, tools: tools.filter(({ name }) => !ours.includes(name)) };
}

/** Whether a stored prefix was made for these instructions and tools. `ours`: names of tools that are no client's. */
export function hasClientPart(
  prefix: FrozenPrefix,
  instructions: string | undefined,
  specs: readonly ToolSpec[],
  ours: readonly string[],
): boolean {
  const asked = new Set(specs.map(({ name }) => name));
  const frozen = clientPartOf(
    prefix,
    ours.filter((name) => !asked.has(name)),
  );
  const isSame = (frozen.instructions ?? '') === (instructions?.trim() ?? '');
  return isSame && JSON.stringify(frozen.tools) === JSON.stringify(specs);
}

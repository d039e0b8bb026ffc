import { z } from 'zod';
import { defineTool, type Tool } from '#spec/ports';
import { specOf } from './tool-set.ts';

/** The tool through which deferred ones are called. Whoever runs calls looks inside it: see `unwrapCall`. */
export const DEFERRED_CALL = 'tool_call';

/**
 * Two small tools that stand for many: one finds deferred tools and shows how they are called, the other calls them.
 * None when nothing is deferred.
 */
export function deferredTools(tools: readonly Tool[]): Tool[] {
  const deferred = tools.filter((tool) => tool.deferred);
  if (!deferred.length) return [];
  return [
    defineTool({
      name: 'tool_search',
      toolset: 'core',
      description: `Finds further tools by what they do, with their arguments. Toolsets: ${[...new Set(deferred.map(({ toolset }) => toolset))].join(', ')}.`,
      input: z.strictObject({ query: z.string() }),
      effect: () => 0,
      run: async ({ query }) => {
        const found = bestMatches(query, deferred);
        const text = found.map((tool) => JSON.stringify(specOf(tool))).join('\n');
        return {
          content: [{ type: 'text', text: text || 'No tool matches.' }],
          summary: `${found.length} tools`,
        };
      },
    }),
    defineTool({
      name: DEFERRED_CALL,
      toolset: 'core',
      description: 'Calls a tool that tool_search found.',
      input: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
      effect: () => 3,
      run: async ({ name }) => ({
        content: [{ type: 'text', text: `There is no tool called '${name}'. Find one with tool_search.` }],
        summary: name,
        isError: true,
      }),
    }),
  ];
}

const MOST_FOUND = 5;

function bestMatches(query: string, tools: readonly Tool[]): Tool[] {
  const words: readonly string[] = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const score = ({ name, toolset, description }: Tool) => {
    const text = `${name.replaceAll('_', ' ')} ${toolset} ${description}`.toLowerCase();
    return words.filter((word) => text.includes(word)).length + (query.toLowerCase().includes(name) ? 5 : 0);
  };
  return tools
    .map((tool) => ({ tool, points: score(tool) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST_FOUND)
    .map(({ tool }) => tool);
}

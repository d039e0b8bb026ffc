import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '#spec/ports';
import { withoutNamesakes } from './all-tools.ts';

const tool = (name: string, toolset: string): Tool =>
  defineTool({
    name,
    toolset,
    description: '',
    input: z.strictObject({}),
    effect: () => 0,
    run: async () => ({ content: [], summary: '' }),
  });

describe('withoutNamesakes', () => {
  it('leaves out what is called like a tool of ours or one before it, and names it', () => {
    const brought = [
      tool('read_file', 'plugin-a'),
      tool('x', 'plugin-a'),
      tool('x', 'mcp-b'),
      tool('y', 'mcp-b'),
    ];
    const { tools, notices } = withoutNamesakes(brought, ['read_file', 'tool_call']);
    expect(tools.map(({ name, toolset }) => `${toolset}/${name}`)).toEqual(['plugin-a/x', 'mcp-b/y']);
    expect(notices).toEqual([
      'The tool read_file of plugin-a is left out: its name is taken.',
      'The tool x of mcp-b is left out: its name is taken.',
    ]);
  });
});

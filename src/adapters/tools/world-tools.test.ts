import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '#kit/estimate-tokens';
import { worldTools } from './index.ts';

const tools = await worldTools();
const tokens = (list: typeof tools) =>
  estimateTokens(
    JSON.stringify(
      list.map(({ name, description, input }) => ({ name, description, input: z.toJSONSchema(input) })),
    ),
  );

describe('the tools that touch the world', () => {
  it('take under 2,000 tokens of every prompt: the others are found by searching', () => {
    const shown = tools.filter(({ deferred }) => !deferred);
    expect(shown.map(({ name }) => name).sort()).toEqual([
      'execute_code',
      'patch',
      'process',
      'read_file',
      'search_files',
      'terminal',
      'web_extract',
      'web_search',
      'write_file',
    ]);
    expect(tokens(shown)).toBeLessThan(2_000);
  });

  it('have names of their own that every vendor takes', () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s describes itself shortly', (_, tool) => {
    expect(tool.description.length).toBeLessThanOrEqual(300);
    expect(tool.toolset).not.toBe('');
    expect(z.toJSONSchema(tool.input)).toMatchObject({ type: 'object' });
  });
});

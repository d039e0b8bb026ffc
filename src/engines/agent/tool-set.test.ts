import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { echo } from '#support/engines/agent/scripted-turn';
import { specOf, toolSet } from './tool-set.ts';

describe('toolSet', () => {
  it('finds tools by their name and by a name that is nearly theirs', () => {
    const set = toolSet([echo('read_file'), echo('todo')]);
    expect(set.find('todo')?.name).toBe('todo');
    expect(set.find('Read-File')?.name).toBe('read_file');
    expect(set.find('rocket')).toBeUndefined();
    expect(toolSet([]).find('todo')).toBeUndefined();
  });

  it('does not let one of two tools with the same name win', () => {
    expect(() => toolSet([echo('a'), echo('b'), echo('a')])).toThrow("two tools called 'a'");
  });

  it('shows a tool as plain JSON schema, with what the model may leave out', () => {
    const tool = defineTool({
      ...echo(),
      input: z.strictObject({ path: z.string(), limit: z.int().default(10), glob: z.string().optional() }),
    });
    expect(specOf(tool)).toMatchObject({
      name: 'read_file',
      input: { type: 'object', required: ['path'], additionalProperties: false },
    });
    expect(specOf(tool).input).not.toHaveProperty('$schema');
  });

  it('is the same bytes every time', () => {
    const specs = () => JSON.stringify(toolSet([echo('a'), echo('b')]).specs);
    expect(specs()).toBe(specs());
  });
});

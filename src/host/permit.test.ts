import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type EffectLevel } from '#spec/ports';
import { permit } from './permit.ts';

const tool = (effect: EffectLevel) =>
  defineTool({
    name: 'restart',
    toolset: 'test',
    description: '',
    input: z.unknown(),
    effect: () => effect,
    run: async () => ({ content: [], summary: '' }),
  });
const call = { type: 'tool_call', id: 'c', name: 'restart', arguments: '{"service":"pay"}' } as const;

describe('permit', () => {
  it.each([0, 1, 2] as const)('lets level %i pass without a question', async (level) => {
    const ask = () => Promise.reject(new Error('asked'));
    expect(await permit(tool(level), {}, call, ask)).toEqual({ allowed: true });
    expect(await permit(tool(level), {}, call, undefined)).toEqual({ allowed: true });
  });

  it('denies level 3 where nobody can be asked', async () => {
    expect(await permit(tool(3), {}, call, undefined)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('nobody') as string,
    });
  });

  it.each([
    ['yes', true],
    ['no', false],
    ['YES please', false],
    ['', false],
    [undefined, false],
  ])('asks about level 3 and takes %j for %s', async (answer, allowed) => {
    const asked: string[] = [];
    const permission = await permit(tool(3), {}, call, async (question, choices) => {
      asked.push(question, ...choices);
      return answer;
    });
    expect(permission.allowed).toBe(allowed);
    expect(asked).toEqual(['restart {"service":"pay"}?', 'yes', 'no']);
  });
});

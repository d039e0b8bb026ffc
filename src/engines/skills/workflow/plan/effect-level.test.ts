import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Deed, defineTool, type EffectLevel, type Tool } from '#spec/ports';
import { constantLevel } from './effect-level.ts';

interface Input {
  readonly method: string;
}
const tool = (effect: (input: Input) => EffectLevel, more: Partial<Tool<Input>> = {}): Tool =>
  defineTool<Input>({
    name: 'x',
    toolset: 'test',
    description: '',
    input: z.object({ method: z.string() }),
    effect,
    run: async () => ({ content: [], summary: '' }),
    ...more,
  });
const deed = (of: (input: Input) => Deed) => ({ deed: of });

describe('constantLevel', () => {
  it('is what a tool says without looking at what it is asked for', () => {
    expect(constantLevel(tool(() => 0))).toBe(0);
    expect(
      constantLevel(
        tool(
          () => 2,
          deed(() => ({ brings: ['untrusted'] })),
        ),
      ),
    ).toBe(2);
    expect(constantLevel(tool(() => 0, { level: 0, ...deed(({ method }) => ({ sendsTo: [method] })) }))).toBe(
      0,
    );
  });

  it('is not known where it depends, or where a command decides', () => {
    expect(constantLevel(tool(({ method }) => (method === 'GET' ? 0 : 2)))).toBeUndefined();
    expect(constantLevel(tool((input) => ('method' in input ? 0 : 2)))).toBeUndefined();
    expect(constantLevel(tool((input) => (Object.keys(input).length > 0 ? 0 : 2)))).toBeUndefined();
    expect(
      constantLevel(
        tool(
          () => 0,
          deed(({ method }) => ({ command: { text: method } })),
        ),
      ),
    ).toBeUndefined();
    expect(
      constantLevel(
        tool(
          () => 0,
          deed(() => ({ command: { text: 'ls' } })),
        ),
      ),
    ).toBeUndefined();
    expect(
      constantLevel(
        tool(
          () => 0,
          deed(() => ({ confirm: 'sure?' })),
        ),
      ),
    ).toBeUndefined();
  });
});

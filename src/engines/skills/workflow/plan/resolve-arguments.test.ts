import { describe, expect, it } from 'vitest';
import { resolveArguments } from './resolve-arguments.ts';

const declared = [
  { name: 'port', type: 'number', required: false, default: 80 },
  { name: 'hosts', type: 'array', required: true },
  { name: 'mode', required: false, choices: ['a', 'b'], default: 'a' },
  { name: 'note', required: false },
] as const;

describe('resolveArguments', () => {
  it('reads what a command line gives, and fills in the rest', () => {
    const { values, missing, problems } = resolveArguments(declared, { port: '8080', hosts: '["x"]' }, true);
    expect(values).toEqual({ port: 8080, hosts: ['x'], mode: 'a', note: null });
    expect([missing, problems]).toEqual([[], []]);
  });

  it('says what is wrong', () => {
    const { missing, problems } = resolveArguments(declared, { port: 'soon', mode: 'c', hots: 1 }, true);
    expect(missing).toEqual(['hosts']);
    expect(problems).toEqual([
      "'port' has to be of type number",
      "'mode' has to be one of a, b",
      "there is no argument 'hots': did you mean 'hosts'?",
    ]);
  });

  it('only tells what is not used when nothing is declared', () => {
    expect(resolveArguments([], { a: 1 }, false)).toEqual({
      values: {},
      missing: [],
      problems: [],
      unused: ['a'],
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { Checkpoints } from '#spec/ports';
import { turnCheckpoints } from './turn-checkpoints.ts';

function counting(take: (label: string) => Promise<string | undefined>): Checkpoints {
  return {
    take,
    list: async () => [],
    diff: async () => undefined,
    restore: async () => undefined,
    leftOut: async () => [],
  };
}

describe('turnCheckpoints', () => {
  it('takes one before the first change of a turn', async () => {
    const labels: string[] = [];
    const turn = turnCheckpoints(
      counting(async (label) => `c${labels.push(label)}`),
      () => undefined,
    );
    turn.begin('mend the build');
    expect(await Promise.all([turn.beforeChange(), turn.beforeChange()])).toEqual(['c1', undefined]);
    expect(await turn.beforeChange()).toBeUndefined();
    turn.begin('and now the docs');
    expect(await turn.beforeChange()).toBe('c2');
    expect(labels).toEqual(['mend the build', 'and now the docs']);
  });

  it('does not hold up a change that cannot be kept, and says so once', async () => {
    const problems: string[] = [];
    const turn = turnCheckpoints(
      counting(async () => Promise.reject(new Error('too large'))),
      (problem) => problems.push(problem),
    );
    expect(await turn.beforeChange()).toBeUndefined();
    turn.begin('again');
    expect(await turn.beforeChange()).toBeUndefined();
    expect(problems).toEqual(['too large']);
  });
});

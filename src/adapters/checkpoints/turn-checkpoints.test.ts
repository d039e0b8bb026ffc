import { describe, expect, it } from 'vitest';
import type { CheckpointCause, Checkpoints } from '#spec/ports';
import { turnCheckpoints } from './turn-checkpoints.ts';

function counting(take: (before: CheckpointCause) => Promise<string>): Checkpoints {
  return {
    take,
    list: async () => [],
    diff: async () => undefined,
    restore: async () => undefined,
    leftOut: async () => [],
  };
}

describe('turnCheckpoints', () => {
  it('takes one before the first change of a turn, whatever number the turn has', async () => {
    const causes: CheckpointCause[] = [];
    const before = turnCheckpoints(counting(async (cause) => `c${causes.push(cause)}`));
    const turn = { run: 'r1', session: 'ses_a', turn: 1 };
    expect(await Promise.all([before(turn), before(turn)])).toEqual([{ isFirst: true }, { isFirst: false }]);
    // The same number in another session, then again after an undo, while the first still runs.
    await before({ run: 'r2', session: 'ses_b', turn: 1 });
    await before({ run: 'r3', session: 'ses_a', turn: 1 });
    await before(turn);
    expect(causes).toEqual(
      ['ses_a', 'ses_b', 'ses_a'].map((session) => ({ kind: 'turn', session, turn: 1 })),
    );
  });

  it('does not hold up a change that cannot be kept, says so, and does not take a later state for the first', async () => {
    let asked = 0;
    const before = turnCheckpoints(
      counting(async () => {
        asked += 1;
        throw new Error('too large');
      }),
    );
    const turn = { run: 'r1', session: 'ses_a', turn: 1 };
    expect(await before(turn)).toEqual({ isFirst: true, problem: 'too large' });
    expect(await before(turn)).toEqual({ isFirst: false, problem: 'too large' });
    expect(asked).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import type { Hypothesis, Rca } from '#spec/data';
import { simulate } from '#testkit/simulator';
import { judgeSimulated } from './judge-simulated.ts';

const says = (parts: Partial<Hypothesis>, status: Rca['status'] = 'concluded'): Rca => ({
  status,
  hypotheses: [
    {
      category: 'service_fault',
      confidence: 0.9,
      supports: [],
      refutes: [],
      why: { en: '', zh: '' },
      ...parts,
    },
  ],
  evidence: [],
  missing: [],
});
const form = { changes: 'diffs', topology: 'whole', scope: 'all' } as const;
const quiet = simulate({ seed: 'judge', fault: 'none_quiet', form });
/** One whose guilty change is on record. */
const guilty = ['a', 'b', 'c', 'd']
  .map((seed) => simulate({ seed, fault: 'bad_release', form }))
  .find(({ truth, telemetry }) => telemetry.changes?.some(({ id }) => truth.changes.includes(id)));
const slow = simulate({ seed: 'judge', fault: 'stalled_service', form });

describe('judgeSimulated', () => {
  it('wants silence where nothing happened', () => {
    expect(judgeSimulated(says({ category: 'none' }, 'no_incident'), quiet)).toMatchObject({
      right: true,
      blames: false,
    });
    expect(judgeSimulated(says({ service: 'web' }), quiet)).toMatchObject({ right: false, blames: true });
  });

  it('wants the change where it is on record', () => {
    if (!guilty) throw new Error('none of the seeds has a recorded change');
    const [change] = guilty.truth.changes;
    const { culprit } = guilty.truth;
    expect(judgeSimulated(says({ service: culprit, change, undo: true }), guilty)).toMatchObject({
      right: true,
      wrongUndo: false,
    });
    expect(judgeSimulated(says({ service: culprit }), guilty)).toMatchObject({ right: false });
    expect(judgeSimulated(says({ service: culprit, change: 'other', undo: true }), guilty)).toMatchObject({
      right: false,
      wrongUndo: true,
    });
  });

  it('wants the place, and no change, where nobody made one', () => {
    const { culprit } = slow.truth;
    expect(judgeSimulated(says({ service: culprit }), slow)).toMatchObject({
      right: true,
      rightCategory: true,
    });
    expect(judgeSimulated(says({ service: culprit, change: 'x' }), slow)).toMatchObject({ right: false });
    expect(judgeSimulated(says({ service: 'elsewhere', category: 'disk' }), slow)).toMatchObject({
      right: false,
      rightCategory: false,
    });
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dataOf, noteOf } from './workflow-notes.ts';

const run = (i: number) => ({
  run: `run_${i}`,
  at: `2026-11-16T0${i}:30:00.000Z`,
  state: 'succeeded',
  text: `# Report ${i}\nall healthy`,
  anomalies: { count: i, items: [] },
});

it('is read by people, the newest run first', () => {
  const note = noteOf('monitoring_history', [run(1), run(2)]);
  expect(note.split('\n').slice(0, 4)).toEqual([
    'monitoring_history × 2',
    '- 2026-11-16 02:30 succeeded: # Report 2 all healthy',
    '- 2026-11-16 01:30 succeeded: # Report 1 all healthy',
    '--- data',
  ]);
  expect(note).not.toMatch(/[{[]"/);
  expect(dataOf(note)).toEqual([run(1), run(2)]);
});

it('is taken up by the next run as it was, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      if (typeof value === 'string') return;
      // Nothing tells -0 from 0 in a note.
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(dataOf(noteOf('key', plain))).toEqual(plain);
    }),
  );
});

it('reads what was written before, and what somebody wrote by hand', () => {
  expect(dataOf('[{"run":"run_1"}]')).toEqual([{ run: 'run_1' }]);
  expect(dataOf('tabs, never spaces')).toBe('tabs, never spaces');
});

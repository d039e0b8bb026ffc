import { expect, it } from 'vitest';
import { simulate } from '#testkit/simulator';
import { readCases } from './run-readers.ts';

it('readers of every kind: a right one harms nothing, none adds an undo, and what is no answer changes nothing', async () => {
  const cases = [
    // One whose release would be undone.
    simulate({ seed: 'undo-1', fault: 'bad_release', form: { byVersion: true } }),
    ...['bad_release', 'bad_config', 'memory_leak', 'database_slow'].map((fault) =>
      simulate({ seed: `reader-${fault}-1`, fault }),
    ),
  ];
  const rows = await readCases(cases);
  const row = (name: string) => rows.get(name) ?? expect.fail(`no row ${name}`);
  const none = row('none');
  expect(none.cases).toBe(cases.length);
  expect(row('right').right).toBeGreaterThanOrEqual(none.right);
  expect(row('wrong').right).toBeLessThanOrEqual(none.right);
  for (const name of ['right', 'wrong', 'random', 'first in the list', 'inventing']) {
    expect([name, row(name).added]).toEqual([name, 0]);
    expect(row(name).wronglyUndone).toBeLessThanOrEqual(none.wronglyUndone);
  }
  expect(none.undone).toBeGreaterThan(0);
  expect(row('wrong').undone).toBeLessThan(none.undone);
  for (const name of ['first in the list', 'inventing']) expect(row(name)).toEqual(none);
}, 60_000);

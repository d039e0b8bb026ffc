import { describe, expect, it } from 'vitest';
import type { SkillFiles } from '#spec/ports';
import {
  experience,
  scriptedLibrary,
  type ScriptedLibrary,
  step,
} from '#support/engines/learning/scripted-library';
import { openLearning } from '../open-learning.ts';
import { examplesIn } from '../procedure/examples.ts';
import { readProcedure } from '../procedure/read-procedure.ts';
import { paretoFront } from './evaluate.ts';
import { mutations } from './mutations.ts';
import { trialShelf } from './trial-shelf.ts';

/** Selection over texts that may be others than those that are there. */
function withTrial(library: ScriptedLibrary): ScriptedLibrary {
  const files: SkillFiles = {
    scan: async () =>
      [...library.texts].map(([path, text]) => ({ root: 'home', path, text, trust: 'own', changedAt: 0 })),
    beside: async () => [],
    read: async () => undefined,
    write: async () => undefined,
  };
  const trial = () =>
    trialShelf(files, (worn) => ({
      refresh: () => undefined,
      match: async (text, options) => {
        const other = scriptedLibrary();
        for (const file of await worn.scan()) other.texts.set(file.path, file.text);
        return other.shelf.match(text, options);
      },
    }));
  return { ...library, trial };
}

const grow = (db: string, task: string, extra = true) =>
  experience(task.replace('DB', db), [
    step('volume_grow', { db }),
    ...(extra ? [step('stats_refresh', { db })] : []),
    step('fs_resize', { db }),
    step('alert_close', { db }),
  ]);

describe('paretoFront', () => {
  it('keeps what nothing beats everywhere', () => {
    const all = [{ scores: [1, 0] }, { scores: [0, 1] }, { scores: [0, 0.5] }, { scores: [1, 0] }];
    expect(paretoFront(all)).toEqual([{ scores: [1, 0] }, { scores: [0, 1] }, { scores: [1, 0] }]);
  });
});

describe('mutations', () => {
  it('are suggested by what was done', async () => {
    const library = scriptedLibrary();
    const learning = openLearning(library);
    for (const db of ['ordersdb1', 'usersdb2', 'geodb3'])
      await learning.record(grow(db, 'volume of DB is nearly full'));
    const [path = '', text = ''] = [...library.texts][0] ?? [];
    const skill = library.skill(library.edits[0]?.skill ?? '');
    const procedure = readProcedure(text);
    if (!skill || !procedure) throw new Error(`there is no skill in ${path}`);
    const own = [grow('a1', 'x', false), grow('b1', 'x', false)];
    const swapped = own.map((one) => ({
      ...one,
      path: [one.path[1], one.path[0], one.path[2]].flatMap((made) => made ?? []),
    }));
    const what = (traces: Parameters<typeof mutations>[1]) =>
      mutations({ skill, text, procedure }, traces).map((one) => one.what);
    expect(what({ own, missed: [], wrong: [] })).toEqual(['drop step 2']);
    expect(what({ own: [grow('c1', 'x')], missed: [], wrong: [] })).toEqual([]);
    expect(what({ own: swapped, missed: [], wrong: [] })).toContain('drop step 2');
    expect(what({ own: [], missed: [grow('d1', 'storage alarm')], wrong: [] })[0]).toMatch(/missed/);
  });
});

describe('reflect', () => {
  it('drops a step that tasks did without, and writes down the numbers', async () => {
    const library = withTrial(scriptedLibrary());
    const learning = openLearning(library);
    for (const db of ['ordersdb1', 'usersdb2', 'geodb3'])
      await learning.record(grow(db, 'the volume of DB is nearly full'));
    const name = library.edits[0]?.skill ?? '';
    for (const db of ['stockdb4', 'ledgerdb5', 'mapsdb6'])
      await learning.record({ ...grow(db, 'the volume of DB is nearly full', false), calls: 4 });
    const events = await learning.reflect();
    expect(events).toMatchObject([
      { kind: 'improved', skill: name, why: expect.stringContaining('drop step 2') },
    ]);
    const { proposals } = await learning.status();
    const [won] = proposals.filter(({ accepted, kind }) => accepted && kind === 'mutation');
    expect(won?.after).toBeGreaterThan(won?.before ?? Number.POSITIVE_INFINITY);
    expect(library.edits[0]).toMatchObject({ by: 'reflection', skill: name });
  });

  it('takes the words of a task that the skill missed', async () => {
    const library = withTrial(scriptedLibrary({ settings: { reflectEvery: 1_000 } }));
    const learning = openLearning(library);
    for (const db of ['ordersdb1', 'usersdb2', 'geodb3'])
      await learning.record(grow(db, 'the volume of DB is nearly full'));
    const events = await learning.record(grow('stockdb4', 'storage shortage: DB'));
    expect(events).toMatchObject([{ kind: 'improved', why: expect.stringContaining('storage shortage') }]);
    expect(examplesIn([...library.texts.values()][0] ?? '').at(-1)).toBe('storage shortage: some db');
  });

  it('asks a model where there is one, and believes the numbers only', async () => {
    const asked: string[] = [];
    const base = scriptedLibrary({
      write: async (prompt) => {
        asked.push(prompt);
        return 'Sure! Here is the skill: rm -rf /';
      },
    });
    const learning = openLearning(withTrial(base));
    for (const db of ['ordersdb1', 'usersdb2', 'geodb3'])
      await learning.record(grow(db, 'the volume of DB is nearly full'));
    const text = [...base.texts.values()][0] ?? '';
    expect(asked[0]).toContain('exactly as it is');
    expect(text).not.toContain('rm -rf');
    expect(readProcedure(text)?.steps).toHaveLength(4);
  });
});

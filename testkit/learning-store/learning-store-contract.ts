import { describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import type { ExperienceBook, Marks, SkillHistory } from '#spec/ports';
import { sampleEdit, sampleExperience, sampleUse, sampleVersion } from './samples.ts';

export interface LearningStorage {
  readonly experiences: ExperienceBook;
  readonly history: SkillHistory;
  readonly marks: Marks;
  close(): Promise<void>;
}

type On = (test: (storage: LearningStorage) => Promise<void>) => () => Promise<void>;

/** What every implementation of `ExperienceBook`, `SkillHistory` and `Marks` does. `open` gives an empty one. */
export function describeLearningStore(name: string, open: () => Promise<LearningStorage>): void {
  const on: On = (test) => async () => {
    const storage = await open();
    try {
      await test(storage);
    } finally {
      await storage.close();
    }
  };
  describeExperiences(name, on);
  describeUses(name, on);
  describeVersions(name, on);
  describeEdits(name, on);
  describeMarks(name, on);
}

function describeExperiences(name: string, on: On): void {
  describe(`${name}: experiences`, () => {
    it(
      'gives back what was added, newest first, by every part of a filter',
      on(async ({ experiences }) => {
        const skill = { name: 'restart', version: '1.0.0' };
        const all = [
          sampleExperience('a', { at: 3, skill }),
          sampleExperience('b', { at: 1, scope: 'team' }),
          sampleExperience('c', { at: 3, session: 's1', turn: 2 }),
        ];
        for (const one of all) await experiences.add(one);
        const ids = async (filter: Partial<Parameters<typeof experiences.list>[0]>) =>
          (await experiences.list({ limit: 10, ...filter })).map(({ id }) => id);
        expect(await experiences.list({ ids: ['a'], limit: 10 })).toEqual([all[0]]);
        expect(await ids({})).toEqual(['c', 'a', 'b']);
        expect(await ids({ limit: 1 })).toEqual(['c']);
        expect(await ids({ scopes: ['team'] })).toEqual(['b']);
        expect(await ids({ scopes: [] })).toEqual([]);
        expect(await ids({ skill: 'restart' })).toEqual(['a']);
        expect(await ids({ since: 3 })).toEqual(['c', 'a']);
        expect(await experiences.count()).toBe(3);
      }),
    );

    it(
      'keeps one of each id: what is added again takes its place',
      on(async ({ experiences }) => {
        await experiences.add(sampleExperience('a', { success: true }));
        await experiences.add(sampleExperience('a', { success: false }));
        expect(await experiences.list({ limit: 10 })).toEqual([sampleExperience('a', { success: false })]);
      }),
    );
  });
}

function describeUses(name: string, on: On): void {
  describe(`${name}: uses of skills`, () => {
    it(
      'lists them newest first, by skill, version and time',
      on(async ({ history }) => {
        await history.addUse(sampleUse('a', { at: 1 }));
        await history.addUse(sampleUse('b', { at: 2, version: '1.1.0', success: false }));
        await history.addUse(sampleUse('c', { at: 3, skill: 'other' }));
        const ids = async (filter: Partial<Parameters<typeof history.uses>[0]>) =>
          (await history.uses({ limit: 10, ...filter })).map(({ id }) => id);
        expect(await ids({})).toEqual(['c', 'b', 'a']);
        expect(await ids({ skill: 'restart' })).toEqual(['b', 'a']);
        expect(await ids({ skill: 'restart', version: '1.1.0' })).toEqual(['b']);
        expect(await ids({ since: 2, limit: 1 })).toEqual(['c']);
        expect((await history.uses({ skill: 'other', limit: 1 }))[0]).toEqual(
          sampleUse('c', { at: 3, skill: 'other' }),
        );
      }),
    );
  });
}

function describeVersions(name: string, on: On): void {
  describe(`${name}: versions of skills`, () => {
    it(
      'an active one takes the place of the one before',
      on(async ({ history }) => {
        await history.putVersion(sampleVersion('1.0.0', { at: 1 }));
        await history.putVersion(sampleVersion('1.1.0', { at: 2 }));
        await history.putVersion(sampleVersion('1.2.0', { at: 3, state: 'archived' }));
        await history.putVersion(sampleVersion('1.0.0', { skill: 'other' }));
        const states = async () =>
          (await history.versions('restart')).map(({ version, state }) => `${version} ${state}`);
        expect(await states()).toEqual(['1.2.0 archived', '1.1.0 active', '1.0.0 superseded']);
        await history.putVersion(sampleVersion('1.1.0', { at: 2, state: 'rolled_back' }));
        await history.putVersion(sampleVersion('1.0.0', { at: 1 }));
        expect(await states()).toEqual(['1.2.0 archived', '1.1.0 rolled_back', '1.0.0 active']);
        expect((await history.versions('other'))[0]).toEqual(sampleVersion('1.0.0', { skill: 'other' }));
        expect(await history.versions('none')).toEqual([]);
      }),
    );
  });
}

function describeEdits(name: string, on: On): void {
  describe(`${name}: edits`, () => {
    it(
      'lists them newest first, and lets each be undone once',
      on(async ({ history }) => {
        await history.addEdit(sampleEdit('a', { at: 1 }));
        await history.addEdit(sampleEdit('b', { at: 2, skill: 'other' }));
        expect(await history.edits({ limit: 10 })).toEqual([
          sampleEdit('b', { at: 2, skill: 'other' }),
          sampleEdit('a', { at: 1 }),
        ]);
        expect((await history.edits({ skill: 'restart', limit: 10 })).map(({ id }) => id)).toEqual(['a']);
        const undone = await Promise.all([
          history.markUndone('a'),
          history.markUndone('a'),
          history.markUndone('c'),
        ]);
        expect(undone).toEqual([true, false, false]);
        expect((await history.edits({ id: 'a', limit: 10 }))[0]?.undone).toBe(true);
        await expect(history.addEdit(sampleEdit('a'))).rejects.toBeInstanceOf(AppError);
      }),
    );
  });
}

function describeMarks(name: string, on: On): void {
  describe(`${name}: marks`, () => {
    it(
      'keeps values by name',
      on(async ({ marks }) => {
        expect(await marks.get('pinned')).toBeUndefined();
        await marks.set('pinned', ['a', { b: 1 }]);
        await marks.set('count', 3);
        await marks.set('count', 4);
        expect(await marks.get('pinned')).toEqual(['a', { b: 1 }]);
        expect(await marks.get('count')).toBe(4);
        await marks.set('count', undefined);
        expect(await marks.get('count')).toBeUndefined();
      }),
    );
  });
}

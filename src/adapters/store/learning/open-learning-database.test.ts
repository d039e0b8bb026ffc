import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeLearningStore, sampleEdit, sampleExperience, sampleVersion } from '#testkit/learning-store';
import { openLearningDatabase } from './open-learning-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-learning-'));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const newPath = () => join(folder, `${made++}.db`);

describeLearningStore('SQLite', () => openLearningDatabase(newPath()));

describe('openLearningDatabase', () => {
  it('keeps everything when it is opened again, for its owner alone', async () => {
    const path = newPath();
    const before = await openLearningDatabase(path);
    await before.experiences.add(sampleExperience('a'));
    await before.history.putVersion(sampleVersion('1.0.0'));
    await before.history.addEdit(sampleEdit('e'));
    await before.history.markUndone('e');
    await before.marks.set('tasks', 15);
    for (const side of ['', '-wal', '-shm']) expect(statSync(path + side).mode & 0o777).toBe(0o600);
    await before.close();
    const after = await openLearningDatabase(path);
    expect(await after.experiences.list({ limit: 5 })).toEqual([sampleExperience('a')]);
    expect(await after.history.versions('restart')).toEqual([sampleVersion('1.0.0')]);
    expect(await after.history.edits({ limit: 5 })).toEqual([sampleEdit('e', { undone: true })]);
    expect(await after.marks.get('tasks')).toBe(15);
    await after.close();
  });

  it('lets two that have it open see one active version', async () => {
    const path = newPath();
    const [one, two] = await Promise.all([openLearningDatabase(path), openLearningDatabase(path)]);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? one : two).history.putVersion(sampleVersion(`1.${at}.0`, { at })),
      ),
    );
    const versions = await one.history.versions('restart');
    expect(versions).toHaveLength(20);
    expect(versions.filter(({ state }) => state === 'active')).toHaveLength(1);
    await Promise.all([one.close(), two.close()]);
  });
});

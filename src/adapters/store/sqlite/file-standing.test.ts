import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fail } from '#kit/app-error';
import { openConnection } from './connection.ts';
import { noteDamage } from './file-standing.ts';
import { writeQueue } from './write-queue.ts';

async function opened() {
  const folder = await mkdtemp(join(tmpdir(), 'file-standing-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = { path: join(folder, 'x.db'), store: 'memory' as const };
  const connection = await openConnection(file.path, {
    store: 'memory',
    versions: ['CREATE TABLE t (a)'],
    synchronous: 'NORMAL',
  });
  onTestFinished(() => void connection.close());
  const queue = writeQueue(connection, file, 1_000);
  const add = () => queue.write(() => connection.prepare('INSERT INTO t VALUES (1)').run().changes);
  const count = () => queue.read(() => connection.prepare('SELECT count(*) FROM t').pluck().get());
  expect(await add()).toBe(1);
  return { file, add, count };
}

it('commits nothing to a file that is no longer at its path, and goes on when it is back', async () => {
  const { file, add, count } = await opened();
  const failing = { record: { code: 'store.failing', details: file } };
  await rename(file.path, `${file.path}.away`);
  await expect(add()).rejects.toMatchObject(failing);
  // A copy is another file: what is committed would not be in it.
  await copyFile(`${file.path}.away`, file.path);
  await expect(add()).rejects.toMatchObject(failing);
  expect(await count()).toBe(1);
  await rename(`${file.path}.away`, file.path);
  expect(await add()).toBe(1);
  expect(await count()).toBe(2);
});

it('commits nothing to a file that was found damaged', async () => {
  const { file, add, count } = await opened();
  noteDamage(file, fail('store.corrupt', 'page 7'));
  await expect(add()).rejects.toMatchObject({ record: { code: 'store.corrupt' } });
  expect(await count()).toBe(1);
});

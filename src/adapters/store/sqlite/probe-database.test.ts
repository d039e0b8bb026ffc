import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { probeDatabase } from './probe-database.ts';

async function place(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'probe-db-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'ledger.db');
}
const probe = (path: string) =>
  probeDatabase({ path, store: 'sessions' }, { thorough: true }).catch(
    (thrown: { record: unknown }) => thrown.record,
  );

it('makes no file and changes none', async () => {
  const path = await place();
  expect(await probe(path)).toMatchObject({
    state: 'reached',
    detail: { en: 'made at its first use' },
  });
  await expect(stat(path)).rejects.toThrow('ENOENT');
  const database = new Database(path);
  database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  const before = database.pragma('data_version', { simple: true });
  expect(await probe(path)).toEqual({ state: 'reached' });
  expect(database.pragma('data_version', { simple: true })).toBe(before);
  database.close();
});

it('takes a file that somebody writes for one that can be written', async () => {
  const path = await place();
  const database = new Database(path);
  database.exec('CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)');
  expect(await probe(path)).toEqual({ state: 'reached' });
  database.exec('COMMIT');
  database.close();
});

it('names a damaged file', async () => {
  const path = await place();
  await writeFile(path, 'this is no database, however long it may be');
  expect(await probe(path)).toMatchObject({ code: 'store.corrupt', message: expect.stringContaining(path) });
});

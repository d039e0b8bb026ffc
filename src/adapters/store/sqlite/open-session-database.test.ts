import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { describeSessionStore, sampleEntry, sampleSession } from '#testkit/session-store';
import { openSessionDatabase } from './open-session-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const newPath = () => join(folder, `${made++}.db`);
const EMPTY = { system: [], tools: [] };

describeSessionStore('SQLite', () => openSessionDatabase(newPath()));

describe('openSessionDatabase', () => {
  it('keeps its files to the owner', async () => {
    const path = newPath();
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    const db = await openSessionDatabase(path);
    await db.sessions.create(sampleSession('s1'), EMPTY);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
    await db.close();
  });

  it('refuses a file from a newer version and leaves it alone', async () => {
    const path = newPath();
    const newer = new Database(path);
    newer.exec('CREATE TABLE future (x); PRAGMA user_version = 999');
    newer.close();
    await expect(openSessionDatabase(path)).rejects.toMatchObject({ record: { code: 'store.newer' } });
    const after = new Database(path);
    expect(after.pragma('user_version', { simple: true })).toBe(999);
    expect(after.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(after.prepare('SELECT name FROM sqlite_master').pluck().all()).toEqual(['future']);
    after.close();
  });

  it('tells when a file is no database', async () => {
    const path = newPath();
    writeFileSync(path, 'x'.repeat(8_192));
    await expect(openSessionDatabase(path)).rejects.toMatchObject({ record: { code: 'store.corrupt' } });
  });

  it('waits while another holds the lock, and gives up in the end', async () => {
    const path = newPath();
    const db = await openSessionDatabase(path, { patienceMs: 300 });
    await db.sessions.create(sampleSession('s1'), EMPTY);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const refused = db.transcript.append('s1', [sampleEntry('a', 'a')], []);
    await expect(refused).rejects.toMatchObject({ record: { code: 'store.busy', retry: { again: true } } });
    expect(await db.transcript.read('s1')).toEqual([]);
    const waits = db.transcript.append('s1', [sampleEntry('b', 'b')], []);
    setImmediate(() => other.exec('COMMIT'));
    expect(await waits).toMatchObject([{ id: 'b', seq: 1 }]);
    other.close();
    await db.close();
  });

  it('stores the same image once', async () => {
    const path = newPath();
    const db = await openSessionDatabase(path);
    await db.sessions.create(sampleSession('s1'), EMPTY);
    const data = Buffer.alloc(200_000, 7).toString('base64');
    const content = [{ type: 'image' as const, mediaType: 'image/png' as const, data }];
    for (let at = 0; at < 20; at++) {
      await db.transcript.append('s1', [sampleEntry(`m${at}`, { role: 'user', content })], []);
    }
    await db.close();
    expect(statSync(path).size).toBeLessThan(500_000);
  });

  it('removes what nobody has written to for a while', async () => {
    const db = await openSessionDatabase(newPath());
    const old = Date.now() - 100_000;
    await db.sessions.create(sampleSession('old', { updatedAt: old }), EMPTY);
    await db.sessions.create(sampleSession('named', { updatedAt: old, title: 'Keep' }), EMPTY);
    await db.sessions.create(sampleSession('new', { updatedAt: Date.now() }), EMPTY);
    expect(await db.prune({ olderThan: 50_000, keepTitled: true })).toBe(1);
    expect((await db.sessions.list({})).map(({ id }) => id)).toEqual(['new', 'named']);
    expect(await db.prune({ olderThan: 50_000 })).toBe(1);
    await db.close();
  });
});

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { describeLedger, sampleApproval, sampleRequester } from '#testkit/gate';
import { openLedger } from './open-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-ledger-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = () => join(folder, `ledger-${count++}.db`);

describeLedger('SQLite', () => openLedger(newPath()));

describe('openLedger', () => {
  it('keeps everything when it is opened again', async () => {
    const path = newPath();
    const before = await openLedger(path);
    await before.approvals.add(sampleApproval('a'));
    await before.audit.append('approval.requested', sampleRequester(), { id: 'a' });
    await before.taints.add('s1', 'private', 1);
    await before.close();
    const after = await openLedger(path);
    expect(await after.approvals.get('a')).toEqual(sampleApproval('a'));
    expect(await after.audit.verify()).toMatchObject({ sound: true, entries: 1 });
    expect(await after.taints.read('s1')).toEqual(['private']);
    await after.close();
  });

  it('is for its owner alone', async () => {
    const path = newPath();
    const ledger = await openLedger(path);
    await ledger.audit.append('action.denied', sampleRequester(), {});
    for (const suffix of ['', '-wal', '-shm', '.head'])
      expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
    await ledger.close();
  });

  it('refuses a file of a newer version and leaves it as it is', async () => {
    const path = newPath();
    await (await openLedger(path)).close();
    const raw = new Sqlite(path);
    raw.pragma('user_version = 99');
    raw.close();
    await expect(openLedger(path)).rejects.toMatchObject({ record: { code: 'store.newer' } });
    expect(new Sqlite(path).pragma('user_version', { simple: true })).toBe(99);
  });

  it('refuses to change or cut the audit log, and to rewrite approvals, past its ports', async () => {
    const path = newPath();
    const ledger = await openLedger(path);
    for (const at of [1, 2, 3]) await ledger.audit.append('action.allowed', sampleRequester(), { at });
    await ledger.approvals.add(sampleApproval('a'));
    await ledger.close();
    const raw = new Sqlite(path);
    for (const [sql, message] of [
      ["UPDATE audit SET body = '{}' WHERE seq = 2", 'only grows'],
      ['DELETE FROM audit WHERE seq = 3', 'only grows'],
      ["INSERT OR REPLACE INTO audit VALUES (2, '{}', '', '')", 'one line at a time'],
      ["INSERT INTO audit VALUES (9, '{}', '', '')", 'one line at a time'],
      ["UPDATE approvals SET digest = 'other'", 'stays what was asked'],
      ["UPDATE approvals SET asked = '{}'", 'stays what was asked'],
      ["UPDATE approvals SET state = 'used'", 'moves forward'],
      ['DELETE FROM approvals', 'are kept'],
    ] as const) {
      expect(() => raw.exec(sql), sql).toThrow(message);
    }
    raw.exec("UPDATE approvals SET state = 'denied'");
    expect(() => raw.exec("UPDATE approvals SET state = 'granted'")).toThrow('moves forward');
    raw.close();
  });
});

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleRequester } from '#testkit/gate';
import { openLedger } from './open-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

const LINES = 6;

async function written(): Promise<string> {
  const path = join(folder, `ledger-${count++}.db`);
  const ledger = await openLedger(path);
  for (let n = 1; n <= LINES; n++) await ledger.audit.append('action.allowed', sampleRequester(), { n });
  await ledger.close();
  return path;
}

/** Changes the file as somebody does who may write to it and knows what he is doing. */
function tamper(path: string, sql: string): void {
  const raw = new Sqlite(path);
  const triggers = raw
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    .pluck()
    .all();
  for (const name of triggers) raw.exec(`DROP TRIGGER ${name}`);
  raw.exec(sql);
  raw.close();
}

async function verify(path: string) {
  const ledger = await openLedger(path);
  try {
    return await ledger.audit.verify();
  } finally {
    await ledger.close();
  }
}

describe('verify', () => {
  it('finds nothing where nothing was done', async () => {
    expect(await verify(await written())).toMatchObject({ sound: true, entries: LINES });
  });

  it.each([
    [
      'a changed line',
      `UPDATE audit SET body = replace(body, '"n":3', '"n":4') WHERE seq = 3`,
      3,
      'was changed',
    ],
    ['a changed hash', `UPDATE audit SET hash = '0' WHERE seq = 3`, 3, 'was changed'],
    ['a changed link', `UPDATE audit SET previous = '0' WHERE seq = 3`, 3, 'does not follow'],
    ['a missing line', 'DELETE FROM audit WHERE seq = 3', 3, 'is missing'],
    ['a missing first line', 'DELETE FROM audit WHERE seq = 1', 1, 'is missing'],
    ['a cut end', 'DELETE FROM audit WHERE seq = 6', 6, 'cut off'],
    ['a long cut end', 'DELETE FROM audit WHERE seq > 2', 3, 'lines 3 to 6 were cut off'],
    ['everything gone', 'DELETE FROM audit', 1, 'lines 1 to 6 were cut off'],
    [
      'two lines that changed places',
      `UPDATE audit SET seq = 99 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3;
       UPDATE audit SET seq = 3 WHERE seq = 99`,
      2,
      'does not follow',
    ],
    [
      'two texts that changed places',
      `CREATE TEMP TABLE t AS SELECT * FROM audit;
       UPDATE audit SET body = (SELECT body FROM t WHERE t.seq = 5 - audit.seq) WHERE seq IN (2, 3)`,
      2,
      'was changed',
    ],
    ['the head', '', 6, 'is not the one that was written down'],
  ])('finds %s', async (name, sql, seq, problem) => {
    const path = await written();
    if (name === 'the head') writeFileSync(`${path}.head`, JSON.stringify({ seq: 6, hash: 'f'.repeat(64) }));
    tamper(path, sql);
    expect(await verify(path)).toEqual({
      sound: false,
      seq,
      problem: expect.stringContaining(problem) as string,
    });
  });

  it('finds a chain that was written anew', async () => {
    const path = await written();
    const other = await written();
    copyFileSync(`${path}.head`, `${other}.head`);
    expect(await verify(other)).toMatchObject({ sound: false, seq: LINES });
  });

  it('finds a line that is put in at the end with a hash of its own making', async () => {
    const path = await written();
    tamper(path, `INSERT INTO audit SELECT 7, '{"seq":7}', hash, 'abc' FROM audit WHERE seq = 6`);
    expect(await verify(path)).toMatchObject({ sound: false, seq: 7 });
  });

  it.each([
    ['is gone', (path: string) => rmSync(path)],
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['is something else', (path: string) => writeFileSync(path, '{"seq":"six"}')],
  ])('finds that the head %s', async (_, harm) => {
    const path = await written();
    harm(`${path}.head`);
    expect(await verify(path)).toMatchObject({
      sound: false,
      problem: expect.stringContaining('head') as string,
    });
  });

  it('takes a head that a crash left behind for what it is, and moves on', async () => {
    const path = await written();
    const head = readFileSync(`${path}.head`);
    const ledger = await openLedger(path);
    await ledger.audit.append('action.denied', sampleRequester(), {});
    writeFileSync(`${path}.head`, head);
    expect(await ledger.audit.verify()).toMatchObject({ sound: true, entries: LINES + 1 });
    await ledger.audit.append('action.denied', sampleRequester(), {});
    expect(JSON.parse(readFileSync(`${path}.head`, 'utf8'))).toMatchObject({ seq: LINES + 2 });
    await ledger.close();
  });
});

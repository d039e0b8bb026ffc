import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleRequester } from '#testkit/gate';
import { type Ledger, openLedger } from './open-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-broken-chain-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const LINES = 6;
const ANN = sampleRequester();

async function written(): Promise<string> {
  const path = join(folder, `ledger-${count++}.db`);
  await open(path, async ({ audit }) => {
    for (let n = 1; n <= LINES; n++) await audit.append('action.allowed', ANN, { n });
  });
  return path;
}

async function open<T>(path: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openLedger(path);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

const append = (path: string) =>
  open(path, ({ audit }) => audit.append('action.allowed', ANN, { late: true }));
const verify = (path: string) => open(path, ({ audit }) => audit.verify());
const accept = (path: string, reason = 'a restore') => open(path, ({ audit }) => audit.accept(ANN, reason));

/** Changes the file as somebody does who may write to it and knows what he is doing. */
function tamper(path: string, sql: string): void {
  const raw = new Sqlite(path);
  const triggers = raw
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
  raw.exec(sql);
  for (const trigger of triggers) raw.exec(trigger.sql);
  raw.close();
}

function rows(path: string): unknown[] {
  const raw = new Sqlite(path, { readonly: true });
  const found = raw.prepare('SELECT * FROM audit').all();
  raw.close();
  return found;
}

const gone = (path: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
};
const HARM: readonly (readonly [string, (path: string) => void])[] = [
  ['one line was cut off', (path) => tamper(path, 'DELETE FROM audit WHERE seq = 6')],
  ['several lines were cut off', (path) => tamper(path, 'DELETE FROM audit WHERE seq > 2')],
  ['every line was cut off', (path) => tamper(path, 'DELETE FROM audit')],
  ['the file is gone', gone],
  ['the head is gone', (path) => rmSync(`${path}.head`)],
  [
    'the head is another one',
    (path) => writeFileSync(`${path}.head`, `{"seq":6,"hash":"${'f'.repeat(64)}"}`),
  ],
  ['the head is ahead', (path) => writeFileSync(`${path}.head`, `{"seq":7,"hash":"${'f'.repeat(64)}"}`)],
  ['the head cannot be read', (path) => writeFileSync(`${path}.head`, 'six')],
  ['the last line was written anew', (path) => tamper(path, `UPDATE audit SET hash = 'a' WHERE seq = 6`)],
  [
    'a line was forged behind the head',
    (path) => tamper(path, `INSERT INTO audit SELECT 7, '{"seq":7}', hash, 'abc' FROM audit WHERE seq = 6`),
  ],
];

describe.each(HARM)('where %s', (_, harm) => {
  it('appends nothing, and says so until a person has accepted it', async () => {
    const path = await written();
    harm(path);
    expect(await verify(path)).toMatchObject({ sound: false });
    const before = rows(path);
    for (let n = 0; n < 2; n++) {
      await expect(append(path)).rejects.toMatchObject({
        record: { code: 'audit.broken', hint: expect.stringContaining('hermes audit accept') as string },
      });
      expect(await verify(path)).toMatchObject({ sound: false });
    }
    expect(rows(path)).toEqual(before);

    const { seq } = await accept(path);
    expect(await verify(path)).toMatchObject({ sound: true, breaks: [{ seq, reason: 'a restore' }] });
    await append(path);
    expect(await verify(path)).toMatchObject({ sound: true, entries: seq + 1, breaks: [{ seq }] });
  });
});

describe('a break', () => {
  it('stays one when the head is made to fit after it was met', async () => {
    const path = await written();
    tamper(path, 'DELETE FROM audit WHERE seq > 4');
    await expect(append(path)).rejects.toMatchObject({ record: { code: 'audit.broken' } });
    const [last] = await open(path, ({ audit }) => audit.last(1));
    writeFileSync(`${path}.head`, JSON.stringify({ seq: 4, hash: last?.hash }));
    expect(await verify(path)).toMatchObject({ sound: false, problem: 'lines 5 to 6 were cut off' });
    await expect(append(path)).rejects.toMatchObject({ record: { code: 'audit.broken' } });
  });

  it('is met by a process that lives, also when file and head were put back together', async () => {
    const path = await written();
    copyFileSync(`${path}.head`, `${path}.old`);
    await open(path, async ({ audit }) => {
      await audit.append('action.allowed', ANN, {});
      tamper(path, 'DELETE FROM audit WHERE seq = 7');
      copyFileSync(`${path}.old`, `${path}.head`);
      await expect(audit.append('action.allowed', ANN, {})).rejects.toMatchObject({
        record: { code: 'audit.broken' },
      });
    });
    expect(await verify(path)).toMatchObject({ sound: false, problem: 'line 7 was cut off' });
  });

  it('in the middle can be accepted, and what stood before it cannot be changed after that', async () => {
    const path = await written();
    tamper(path, `UPDATE audit SET body = replace(body, '"n":3', '"n":4') WHERE seq = 3`);
    await accept(path);
    expect(await verify(path)).toMatchObject({ sound: true, breaks: [{ problem: 'line 3 was changed' }] });
    tamper(path, `UPDATE audit SET body = replace(body, '"n":5', '"n":9') WHERE seq = 5`);
    expect(await verify(path)).toMatchObject({ sound: false });
  });

  it('cannot be accepted where there is none', async () => {
    await expect(accept(await written())).rejects.toMatchObject({ record: { code: 'input.conflict' } });
  });

  it('that was accepted is not met again by another process which knew the old lines', async () => {
    const path = await written();
    await open(path, async ({ audit }) => {
      await audit.append('action.allowed', ANN, {});
      tamper(path, 'DELETE FROM audit WHERE seq > 3');
      await accept(path);
      for (let n = 0; n < 5; n++) await audit.append('action.allowed', ANN, { n });
      expect(await audit.verify()).toMatchObject({ sound: true, entries: 9 });
    });
  });

  it('says that it was accepted only while the line which accepts it is there', async () => {
    const path = await written();
    tamper(path, 'DELETE FROM audit WHERE seq = 6');
    await expect(append(path)).rejects.toThrow('line 6 was cut off');
    tamper(path, 'UPDATE audit_marks SET accepted = 2');
    const [last] = await open(path, ({ audit }) => audit.last(1));
    writeFileSync(`${path}.head`, JSON.stringify({ seq: 5, hash: last?.hash }));
    expect(await verify(path)).toMatchObject({ sound: false, problem: 'line 6 was cut off' });
  });
});

/** Dies at the moment when the head of its fourth line would be put in place. */
const DIES = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { renameSync } = fs;
  let heads = 0;
  fs.renameSync = (from, to) => {
    if (to.endsWith('.head') && ++heads > 4) process.kill(process.pid, 'SIGKILL');
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  const { openLedger } = await import('#adapters/store');
  const { audit } = await openLedger(process.argv.at(-1));
  const requester = { caller: 'chat', platform: 'cli', profile: 'default', session: 's1', user: 'x' };
  for (;;) console.log((await audit.append('action.allowed', requester, {})).seq);
`;

it('a kill between a line and its head is no break', async () => {
  const path = join(folder, 'killed.db');
  const killed = spawnSync(process.execPath, ['--input-type=module', '-e', DIES, path], {
    cwd: join(import.meta.dirname, '..', '..', '..', '..'),
    encoding: 'utf8',
  });
  expect(killed).toMatchObject({ signal: 'SIGKILL', stdout: '1\n2\n3\n' });
  // The fourth line is there, and no head says so.
  expect(JSON.parse(readFileSync(`${path}.head`, 'utf8'))).toMatchObject({ seq: 3 });
  expect(await verify(path)).toMatchObject({ sound: true, entries: 4, breaks: [] });
  expect(await append(path)).toMatchObject({ seq: 5 });
  expect(await verify(path)).toMatchObject({ sound: true, entries: 5, breaks: [] });
}, 60_000);

it('a head that a crash left behind is caught up with', async () => {
  const path = await written();
  const head = readFileSync(`${path}.head`);
  await append(path);
  await append(path);
  writeFileSync(`${path}.head`, head);
  await append(path);
  expect(await verify(path)).toMatchObject({ sound: true, entries: LINES + 3, breaks: [] });
  expect(JSON.parse(readFileSync(`${path}.head`, 'utf8'))).toMatchObject({ seq: LINES + 3 });
});

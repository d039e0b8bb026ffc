import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeQueue } from '../sqlite/write-queue.ts';
import { openFlowTables } from './flow-tables.ts';
import { LOST, openJournal } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes nothing at all under a hold that has ended', async () => {
  const path = join(folder, 'flows.db');
  const connection = await openFlowTables(path);
  connection.exec(`INSERT INTO flows (id, flow, version, input, state, fence, created_at, updated_at)
    VALUES ('f1', 'sample', 1, 'null', 'running', 7, 0, 0);
    INSERT INTO signals (flow, name, key, payload, at) VALUES ('f1', 'go', 'k1', 'null', 0)`);
  const queue = writeQueue(connection, { path, store: 'flows' }, 1_000);
  const journal = openJournal(connection, queue, { now: () => 5 });
  const rows = () =>
    ['flows', 'calls', 'signals'].map((table) => connection.prepare(`SELECT * FROM ${table}`).all());
  const before = rows();
  const call = { seq: 0, kind: 'step', name: 'a', state: 'done', value: null } as const;
  const wait = { seq: 0, names: ['go'], dueAt: 0 };
  for (const hold of [
    { id: 'f1', fence: 6 },
    { id: 'f1', fence: 8 },
    { id: 'f2', fence: 7 },
  ]) {
    expect(await journal.begin(hold, call)).toBe(LOST);
    expect(await journal.end(hold, call)).toBe(LOST);
    expect(await journal.wait(hold, { kind: 'wait', name: 'go' }, wait)).toBe(LOST);
    expect(await journal.park(hold, [wait])).toBe(LOST);
    expect(await journal.finish(hold, { output: null })).toBe(LOST);
    expect(await journal.release(hold, 0)).toBe(LOST);
    expect(await journal.holds(hold)).toBe(false);
    expect(await journal.beat([hold])).toEqual([hold]);
  }
  expect(rows()).toEqual(before);
  expect(await journal.end({ id: 'f1', fence: 7 }, call)).toBeUndefined();
  expect(rows()).not.toEqual(before);
  connection.close();
});

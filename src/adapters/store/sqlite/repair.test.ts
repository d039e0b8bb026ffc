import {
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { Message } from '#spec/data';
import { sampleEntry, sampleSession } from '#testkit/session-store';
import { openSessionDatabase } from './open-session-database.ts';
import { repairSessionDatabase } from './repair-session-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-repair-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EMPTY = { system: [], tools: [] };
const MESSAGES = 200;
const fields = { text: 'pool', speaker: '', previous: '', next: '', date: '' };

const call = (id: string): Message => ({
  role: 'assistant',
  origin: { provider: 'p', model: 'm', protocol: 'local' },
  content: [{ type: 'tool_call', id, name: 'read', arguments: '{}' }],
});
const result = (callId: string): Message => ({
  role: 'tool',
  callId,
  name: 'read',
  isError: false,
  content: [],
});

async function filled(name: string): Promise<string> {
  const path = join(folder, name);
  const db = await openSessionDatabase(path);
  for (const id of ['s1', 's2']) {
    await db.sessions.create(sampleSession(id, { user: id }), EMPTY);
    const entries = Array.from({ length: MESSAGES }, (_, at) =>
      sampleEntry(`${id} m${at}`, `${id} ${at} `.repeat(40)),
    );
    await db.transcript.append(id, entries, [{ type: 'turn.started', at: 1, data: {} }]);
    await db.index.put(entries.map((entry) => ({ id: entry.id, session: id, fields })));
  }
  await db.close();
  return path;
}

function damage(path: string, sql: string): void {
  const raw = new Database(path).unsafeMode();
  raw.exec(sql);
  raw.close();
}

describe('check and repair', () => {
  it('find and mend wrong totals and a broken index', async () => {
    const path = await filled('totals.db');
    damage(path, `UPDATE sessions SET messages = 7 WHERE id = 's1'; DELETE FROM search_data WHERE id > 10`);
    const db = await openSessionDatabase(path);
    const { ok, problems } = await db.check();
    expect(ok).toBe(false);
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['counter', 'index']));
    expect(await db.repair()).toEqual({ recounted: 1, archived: 0, toIndex: 2 * MESSAGES });
    expect(await db.check()).toMatchObject({ ok: true, unindexed: 2 * MESSAGES });
    expect((await db.sessions.get('s1'))?.session.messages).toBe(MESSAGES);
    expect((await db.index.missing(1_000)).length).toBe(2 * MESSAGES);
    await db.close();
  });

  it('a broken index loses no message', async () => {
    const path = await filled('index.db');
    damage(path, 'DELETE FROM search_data');
    const db = await openSessionDatabase(path);
    await db.transcript.append('s1', [sampleEntry('after', 'still written')], []);
    expect((await db.transcript.read('s1')).at(-1)?.id).toBe('after');
    await db.repair();
    expect((await db.transcript.read('s1')).length).toBe(MESSAGES + 1);
    await db.close();
  });

  it('find calls and results that are not together, except in the last group', async () => {
    const path = join(folder, 'tools.db');
    const db = await openSessionDatabase(path);
    for (const id of ['whole', 'waits', 'lost', 'stray']) await db.sessions.create(sampleSession(id), EMPTY);
    const add = (session: string, ...messages: (Message | string)[]) =>
      db.transcript.append(
        session,
        messages.map((m, at) => sampleEntry(`${session} ${at}`, m)),
        [],
      );
    await add('whole', 'go', call('1'), result('1'), 'and', call('1'), result('1'));
    await add('waits', 'go', call('1'), result('1'), call('2'));
    await add('lost', 'go', call('1'), 'never mind');
    await add('stray', 'go', result('9'));
    const { problems } = await db.check();
    expect(problems.map(({ kind, session }) => [kind, session])).toEqual([
      ['tools', 'lost'],
      ['tools', 'stray'],
    ]);
    expect(await db.repair()).toMatchObject({ archived: 2 });
    expect(await db.check()).toMatchObject({ ok: true });
    expect((await db.transcript.read('lost')).map(({ id }) => id)).toEqual(['lost 0', 'lost 2']);
    await db.close();
  });

  it('find a gap in the numbers', async () => {
    const path = await filled('gap.db');
    damage(
      path,
      "DELETE FROM messages WHERE id = 's1 m5'; UPDATE sessions SET messages = 199 WHERE id = 's1'",
    );
    const db = await openSessionDatabase(path);
    expect((await db.check()).problems.map(({ kind, session }) => [kind, session])).toContainEqual([
      'sequence',
      's1',
    ]);
    await db.close();
  });

  it('save what can be read of damaged pages, and keep the old file', async () => {
    const path = await filled('pages.db');
    const bytes = readFileSync(path);
    const at = bytes.indexOf('s1 90 s1 90 ');
    const page = Math.floor(at / 4_096) * 4_096;
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(4_096, 0xff), 0, 4_096, page);
    const before = await openSessionDatabase(path);
    expect((await before.check()).problems.some(({ kind }) => kind === 'file')).toBe(true);
    const report = await before.repair();
    const lost = report.salvaged?.lost.messages ?? 0;
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(30);
    expect(await before.check()).toMatchObject({ ok: true, messages: 2 * MESSAGES - lost });
    const kept = await before.transcript.read('s2');
    expect(kept).toHaveLength(MESSAGES);
    expect((await before.transcript.append('s1', [sampleEntry('after', 'x')], []))[0]?.seq).toBe(
      MESSAGES - lost + 1,
    );
    await before.close();
    const saved = readdirSync(folder).filter((name) => name.startsWith('pages.db.damaged-'));
    expect(saved).toContain(basename(report.salvaged?.kept ?? ''));
    expect(statSync(report.salvaged?.kept ?? '').size).toBe(bytes.length);
  });

  it('begin anew where nothing can be read', async () => {
    const path = join(folder, 'noise.db');
    writeFileSync(path, 'noise'.repeat(2_000));
    const { salvaged } = await repairSessionDatabase(path);
    expect(readFileSync(salvaged?.kept ?? '', 'utf8')).toBe('noise'.repeat(2_000));
    const db = await openSessionDatabase(path);
    expect(await db.check()).toMatchObject({ ok: true, sessions: 0 });
    await db.close();
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { type MemoryDatabase, openMemoryDatabase } from './open-memory-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-memory-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const SCOPE = 'person/cli/ann';
const LINE = 'team';

/**
 * Puts entries with terms and vectors, replaces one of its own all the time, forgets and erases some, and prints each id
 * once the store has confirmed all of it. Enough vectors come together for them to be packed again and again.
 */
const WRITER = `
  import { writeSync } from 'node:fs';
  import { openMemoryDatabase } from '#adapters/store';
  import { sampleMemory, sampleTerms, scatteredVectors } from '#testkit/memory-store';
  const [path, name, count] = process.argv.slice(-3);
  const db = await openMemoryDatabase(path);
  const vectors = scatteredVectors(20, 48, name.length * 31 + name.charCodeAt(0));
  for (let at = 0; at < Number(count); at++) {
    const ids = vectors.map((_, i) => name + '-' + at + '-' + i);
    await db.store.put(ids.map((id) => sampleMemory('entry ' + id, { id })));
    await db.index.putTerms(ids.map((id) => sampleTerms(id, 'word ' + name)));
    await db.index.putVectors(ids.map((id, i) => ({ id, space: 'test', vector: vectors[i] })));
    await db.store.put([sampleMemory('state ' + at, { scope: 'team', key: 'line/' + name })]);
    await db.store.change(ids[1], { state: 'forgotten' });
    if (at % 10 === 9) await db.store.erase([ids[2]]);
    await db.store.touch([ids[0]], at);
    writeSync(1, ids[0] + '\\n');
  }
  await db.close();
`;

interface Writer {
  readonly process: ChildProcess;
  readonly confirmed: readonly string[];
  reached(count: number): Promise<void>;
  readonly ended: Promise<number | null>;
}

function startWriter(path: string, name: string, count: number): Writer {
  const args = ['--input-type=module', '-e', WRITER, path, name, String(count)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const confirmed: string[] = [];
  const waits: { count: number; resolve: () => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (id) => {
    confirmed.push(id);
    for (const wait of waits) if (confirmed.length >= wait.count) wait.resolve();
  });
  return {
    process: child,
    confirmed,
    reached: (wanted) =>
      new Promise((resolve) => {
        waits.push({ count: wanted, resolve });
        if (confirmed.length >= wanted) resolve();
      }),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}

/** What the parts of the file say of each other. */
const AGREE = `
  SELECT 'scopes' FROM scopes s
    WHERE active <> (SELECT count(*) FROM entries e WHERE e.scope = s.n AND e.state = 'active')
  UNION ALL SELECT 'terms' FROM index_state WHERE entries <> (SELECT count(*) FROM search_docsize)
  UNION ALL SELECT 'terms of an inactive entry' FROM search_docsize d
    WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.n = d.id AND e.state = 'active')
  UNION ALL SELECT 'an entry without terms that waits for none' FROM entries e WHERE e.state = 'active'
    AND NOT EXISTS (SELECT 1 FROM search_docsize d WHERE d.id = e.n)
    AND NOT EXISTS (SELECT 1 FROM terms_due d WHERE d.n = e.n)
  UNION ALL SELECT 'a vector of an inactive entry' FROM vectors v
    WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.n = v.n AND e.state = 'active')
  UNION ALL SELECT 'an entry without a vector that waits for none' FROM entries e WHERE e.state = 'active'
    AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.n = e.n)
    AND NOT EXISTS (SELECT 1 FROM vectors_due d WHERE d.n = e.n)
  UNION ALL SELECT 'a loose key without a vector' FROM loose l
    WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.n = l.n AND v.scope = l.scope)`;

async function expectSound(path: string, db: MemoryDatabase, confirmed: readonly string[]): Promise<void> {
  const raw = new Database(path, { readonly: true });
  expect(raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(raw.prepare(AGREE).pluck().all()).toEqual([]);
  expect(placedVectors(raw)).toBe(raw.prepare('SELECT count(*) FROM vectors').pluck().get());
  raw.close();
  const found = await db.store.list({ ids: confirmed, limit: confirmed.length });
  expect(found).toHaveLength(confirmed.length);
  expect(found.every(({ accesses }) => accesses === 1)).toBe(true);
  const names = new Set(confirmed.map((id) => id.split('-')[0]));
  const lines = await db.store.list({ scopes: [LINE], key: 'line/', limit: 100 });
  expect(lines.length).toBeGreaterThanOrEqual(names.size);
}

/** Every vector is loose or in one block. */
function placedVectors(raw: Database.Database): number {
  const loose = raw.prepare<[], number>('SELECT n FROM loose').pluck().all();
  const packed = raw
    .prepare<[], Buffer>('SELECT keys FROM blocks')
    .pluck()
    .all()
    .flatMap((keys) => [...new Float64Array(new Uint8Array(keys).buffer)].filter((key) => key !== 0));
  const all = [...loose, ...packed];
  expect(new Set(all).size).toBe(all.length);
  return all.length;
}

describe('several processes at once', () => {
  it('lose nothing', async () => {
    const path = join(folder, 'shared.db');
    const writers = ['a', 'b'].map((name) => startWriter(path, name, 30));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0]);
    const db = await openMemoryDatabase(path);
    await expectSound(
      path,
      db,
      writers.flatMap((writer) => writer.confirmed),
    );
    expect(await db.store.count()).toBe(2 * 30 * 19 + 2 - 2 * 3);
    const near = await db.index.byTerms(
      ['word'],
      { text: 1, speaker: 1, previous: 1, next: 1, date: 1 },
      [SCOPE],
      9_999,
    );
    expect(near).toHaveLength(2 * 30 * 19 - 2 * 3);
    await db.close();
  }, 60_000);

  it('keep every confirmed write when they are killed in the middle', async () => {
    const path = join(folder, 'killed.db');
    const confirmed: string[] = [];
    for (let round = 0; round < 5; round++) {
      const writers = [`x${round}`, `y${round}`].map((name) => startWriter(path, name, 1_000_000));
      await Promise.all(writers.map(({ reached }, at) => reached(2 + round * 5 + at)));
      for (const writer of writers) writer.process.kill('SIGKILL');
      await Promise.all(writers.map(({ ended }) => ended));
      confirmed.push(...writers.flatMap((writer) => writer.confirmed));
      const db = await openMemoryDatabase(path);
      await expectSound(path, db, confirmed);
      await db.close();
    }
    expect(confirmed.length).toBeGreaterThan(100);
  }, 60_000);
});

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleMemory, sampleTerms, scatteredVectors } from '#testkit/memory-store';
import { type MemoryDatabase, openMemoryDatabase } from './open-memory-database.ts';
import { codeOf, packVector } from './vector-codec.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-erase-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OTHERS = 1_500;
const vectors = scatteredVectors(OTHERS, 384);
const [secret] = scatteredVectors(1, 384, 99) as [Float32Array];
const SCOPE = 'person/cli/zzperson';
/** What must not be left in the file, by what it is. */
const TRACES: Readonly<Record<string, string | Buffer>> = {
  text: 'zztext',
  'text of an older version': 'zzolder',
  term: 'zzterm',
  'term of an older version': 'zzoldterm',
  context: 'zzcontext',
  session: 'zzsession',
  key: 'zzkey',
  scope: 'zzperson',
  vector: packVector(secret),
  code: Buffer.from(codeOf(packVector(secret))),
};

async function filled(path: string): Promise<{ readonly db: MemoryDatabase; readonly id: string }> {
  const db = await openMemoryDatabase(path);
  const put = async (from: number, to: number) => {
    const entries = await db.store.put(
      vectors.slice(from, to).map((_, at) => sampleMemory(`entry ${from + at}`)),
    );
    await db.index.putTerms(entries.map(({ id, text }) => sampleTerms(id, text)));
    await db.index.putVectors(
      entries.map(({ id }, at) => ({ id, space: 'test', vector: vectors[from + at] as Float32Array })),
    );
  };
  await put(0, OTHERS / 2);
  const more = {
    scope: SCOPE,
    key: 'zzkey',
    context: { previous: 'zzcontext' },
    provenance: { by: 'user' as const, session: 'zzsession' },
  };
  const [older] = await db.store.put([sampleMemory('zzolder said', more)]);
  await db.index.putTerms([sampleTerms(older?.id ?? '', 'zzoldterm')]);
  await db.index.putVectors([{ id: older?.id ?? '', space: 'test', vector: secret }]);
  const [entry] = await db.store.put([sampleMemory('zztext said', more)]);
  const id = entry?.id ?? '';
  await db.index.putTerms([sampleTerms(id, 'zzterm', { previous: 'zzterm2' })]);
  await db.index.putVectors([{ id, space: 'test', vector: secret }]);
  await db.store.touch([id], 5);
  await put(OTHERS / 2, OTHERS);
  return { db, id };
}

function traces(path: string): readonly string[] {
  const bytes = Buffer.concat([path, `${path}-wal`].map((file) => readFileSync(file)));
  return Object.entries(TRACES)
    .filter(([, trace]) => bytes.includes(trace))
    .map(([what]) => what);
}

describe('erase', () => {
  it('leaves nothing of an entry in the file or its log', async () => {
    const path = join(folder, 'erased.db');
    const { db, id } = await filled(path);
    // The file is looked through for the right things: all but the code, which is made when a block is packed.
    expect(traces(path)).toEqual(Object.keys(TRACES).filter((what) => what !== 'code'));
    expect(await db.store.erase([id])).toBe(1);
    expect(traces(path)).toEqual([]);
    expect(await db.store.count()).toBe(OTHERS);
    expect(await db.index.frequencies(['entry'])).toMatchObject({ total: OTHERS });
    await db.close();
  });

  it('leaves nothing of a vector that was packed, nor of terms in an index of one part', async () => {
    const path = join(folder, 'packed.db');
    const db = await openMemoryDatabase(path);
    const all = [...vectors.slice(0, 700), secret];
    const entries = await db.store.put(all.map((_, at) => sampleMemory(`entry ${at}`)));
    const ids = entries.map(({ id }) => id);
    await db.index.putTerms(ids.map((id, at) => sampleTerms(id, at === 700 ? 'zzterm' : `word${at}`)));
    await db.index.putVectors(ids.map((id, at) => ({ id, space: 'test', vector: all[at] as Float32Array })));
    expect(traces(path)).toEqual(['term', 'vector', 'code']);
    for (const one of [ids[0], ids[700]]) await db.store.erase([one ?? '']);
    expect(traces(path)).toEqual([]);
    const near = await db.index.byVector({ space: 'test', vector: secret }, ['person/cli/ann'], 1_000);
    expect(near).toHaveLength(699);
    await db.close();
  });

  it('is finished by the next who opens the file, where it was cut off', async () => {
    const path = join(folder, 'cut-off.db');
    const { db, id } = await filled(path);
    await db.close();
    const raw = new Database(path);
    raw.pragma('secure_delete = ON');
    raw.exec(`
      CREATE TEMP TABLE gone AS SELECT n FROM entries WHERE line = (SELECT line FROM entries WHERE id = '${id}');
      DELETE FROM search WHERE rowid IN (SELECT n FROM gone);
      UPDATE index_state SET entries = entries - 1, erasing = 1;`);
    raw.close();
    expect(readFileSync(path).includes('zzterm')).toBe(true);
    const again = await openMemoryDatabase(path);
    expect(readFileSync(path).includes('zzterm')).toBe(false);
    expect(statSync(`${path}-wal`).size).toBe(0);
    await again.close();
  });
});

import { fail } from '#kit/app-error';
import type { MemoryIndex } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import { stateAt, toEntry } from './entry-row.ts';
import type { EntryTable } from './entry-table.ts';
import type { FoundEntries } from './found-entries.ts';
import type { VectorSets } from './vector-sets.ts';

interface Parts {
  readonly connection: Connection;
  readonly table: EntryTable;
  readonly found: FoundEntries;
  readonly vectors: VectorSets;
}

type GivenVectors = Parameters<MemoryIndex['putVectors']>[0];

/** Entries that are gone are passed over. To be called within a transaction. */
export function vectorWriter({ connection, table, found, vectors }: Parts): (given: GivenVectors) => void {
  const space = spaceFinder(connection);
  return (given) => {
    const changed = new Map<string, readonly [number, number]>();
    for (const { id, space: name, vector } of given) {
      const row = table.byId(id);
      if (row?.state !== 'active') continue;
      const at = space(name, vector.length);
      found.takeVector(row);
      vectors.add(at, row.scope, row.n, vector);
      changed.set(`${at} ${row.scope}`, [at, row.scope]);
    }
    for (const [at, scope] of changed.values()) vectors.settle(at, scope);
  };
}

/** The key of a space, which is made when it is not there. All its vectors have the same length. */
function spaceFinder(connection: Connection): (name: string, dimensions: number) => number {
  const find = connection.prepare<[string], { readonly n: number; readonly dimensions: number }>(
    'SELECT n, dimensions FROM spaces WHERE name = ?',
  );
  const add = connection.prepare('INSERT INTO spaces (name, dimensions) VALUES (?, ?)');
  return (name, dimensions) => {
    const known = find.get(name);
    if (!known) return Number(add.run(name, dimensions).lastInsertRowid);
    if (known.dimensions === dimensions) return known.n;
    const lengths = `${known.dimensions} dimensions, not ${dimensions}`;
    throw fail('input.invalid', `The vectors of ${name} have ${lengths}`);
  };
}

type ByVector = Awaited<ReturnType<MemoryIndex['byVector']>>;

/** To be called within a transaction. */
export function vectorReader({ connection, table, vectors }: Omit<Parts, 'found'>) {
  const spaceOf = connection
    .prepare<[string, number], number>('SELECT n FROM spaces WHERE name = ? AND dimensions = ?')
    .pluck();
  return (
    { space, vector }: { readonly space: string; readonly vector: Float32Array },
    scopes: readonly number[],
    limit: number,
    now: number,
  ): ByVector => {
    const at = spaceOf.get(space, vector.length);
    if (at === undefined) return [];
    const best: ByVector[number][] = [];
    for (const { n, similarity } of vectors.nearest(at, scopes, vector, limit)) {
      if (best.length >= limit) break;
      const row = table.byNumber(n);
      if (row && stateAt(row, now) === 'active') best.push({ entry: toEntry(row, now), similarity });
    }
    return best;
  };
}

import type { Connection } from '../sqlite/connection.ts';
import { bytesOf, makeBlock, nearestKeys, toBlock, withoutKey } from './vector-block.ts';
import { type LooseVector, vectorCache } from './vector-cache.ts';
import { codeOf, packVector, similarity } from './vector-codec.ts';

/** From so many vectors on a set is looked through by codes first. */
const BLOCK = 256;
/** How many of those that the codes find are compared exactly, for each one that is wanted, and at least. */
const POOL_FACTOR = 3;
const LEAST_POOL = 250;

interface BlockRow {
  readonly block: number;
  readonly keys: Buffer;
  readonly codes: Buffer;
}

export interface NearVector {
  readonly n: number;
  readonly similarity: number;
}

export type VectorSets = ReturnType<typeof vectorSets>;

/**
 * Vectors by space and scope. A set of fewer than a block is compared whole; of a larger one, the newest and those whose
 * codes are nearest. Another scope's vectors are never looked at, however many there are. To be called within a
 * transaction.
 */
export function vectorSets(connection: Connection) {
  const insert = connection.prepare('INSERT INTO vectors VALUES (?, ?, ?, ?)');
  const remove = connection.prepare('DELETE FROM vectors WHERE space = ? AND scope = ? AND n = ?');
  const addLoose = connection.prepare('INSERT INTO loose VALUES (?, ?, ?)');
  const removeLoose = connection.prepare('DELETE FROM loose WHERE space = ? AND scope = ? AND n = ?');
  const loose = connection.prepare<[number, number], LooseVector>(
    'SELECT n, exact FROM loose CROSS JOIN vectors USING (space, scope, n) WHERE space = ? AND scope = ? ORDER BY n',
  );
  const chosen = connection.prepare<[number, number, string], LooseVector>(
    'SELECT n, exact FROM vectors WHERE space = ? AND scope = ? AND n IN (SELECT value FROM json_each(?))',
  );
  const countLoose = connection
    .prepare<[number, number], number>('SELECT count(*) FROM loose WHERE space = ? AND scope = ?')
    .pluck();
  const emptyLoose = connection.prepare('DELETE FROM loose WHERE space = ? AND scope = ?');
  const cache = vectorCache(connection);
  const blocksAround = connection.prepare<[number, number, number, number], BlockRow>(
    'SELECT block, keys, codes FROM blocks WHERE space = ? AND scope = ? AND low <= ? AND high >= ?',
  );
  const addBlock = connection.prepare(
    'INSERT INTO blocks (space, scope, low, high, keys, codes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const changeBlock = connection.prepare('UPDATE blocks SET keys = ?, codes = ? WHERE block = ?');
  const removeBlock = connection.prepare('DELETE FROM blocks WHERE block = ?');

  const forget = (): void => {
    cache.forget('blocks');
    cache.forget('loose');
  };

  const pack = (space: number, scope: number): void => {
    const members = loose.all(space, scope).map(({ n, exact }) => ({ n, code: codeOf(exact) }));
    const [first, last] = [members[0], members.at(-1)];
    if (!first || !last) return;
    forget();
    const { keys, codes } = makeBlock(members);
    addBlock.run(space, scope, first.n, last.n, bytesOf(keys), bytesOf(codes));
    emptyLoose.run(space, scope);
  };

  /** A block that has lost half of its keys is taken apart: what is left of it is loose again. */
  const unpack = (space: number, scope: number, n: number): void => {
    forget();
    for (const { block, keys, codes } of blocksAround.all(space, scope, n, n)) {
      const left = withoutKey(toBlock(keys, codes), n);
      if (!left) continue;
      const kept = left.keys.filter((key) => key !== 0);
      if (kept.length * 2 > left.keys.length) changeBlock.run(bytesOf(left.keys), bytesOf(left.codes), block);
      else {
        removeBlock.run(block);
        for (const key of kept) addLoose.run(space, scope, key);
      }
      return;
    }
  };

  return {
    /** There must be no vector of the key in this set. `settle` is to follow. */
    add: (space: number, scope: number, n: number, vector: Float32Array): void => {
      cache.forget('loose');
      insert.run(space, scope, n, packVector(vector));
      addLoose.run(space, scope, n);
    },
    settle: (space: number, scope: number): void => {
      if ((countLoose.get(space, scope) ?? 0) >= BLOCK) pack(space, scope);
    },
    /** Whether there was one. */
    remove: (space: number, scope: number, n: number): boolean => {
      if (remove.run(space, scope, n).changes === 0) return false;
      if (removeLoose.run(space, scope, n).changes === 0) unpack(space, scope, n);
      else cache.forget('loose');
      return true;
    },
    /** Of all the scopes together, best first. */
    nearest: (
      space: number,
      scopes: readonly number[],
      vector: Float32Array,
      limit: number,
    ): NearVector[] => {
      const sets = scopes.map((scope) => cache.of(space, scope));
      const near: NearVector[] = [];
      const compare = ({ n, exact }: LooseVector) => near.push({ n, similarity: similarity(vector, exact) });
      for (const set of sets) for (const one of set.loose) compare(one);
      const pool = nearestKeys(
        sets.map(({ packed }) => packed),
        vector,
        Math.max(LEAST_POOL, limit * POOL_FACTOR),
      );
      for (const [at, scope] of scopes.entries()) {
        const keys = pool[at] ?? [];
        if (keys.length === 0) continue;
        for (const row of chosen.iterate(space, scope, JSON.stringify(keys))) compare(row);
      }
      return near.sort((a, b) => b.similarity - a.similarity);
    },
  };
}

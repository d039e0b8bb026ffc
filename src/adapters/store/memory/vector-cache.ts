import type { Connection } from '../sqlite/connection.ts';
import { joinBlocks, toBlock, type VectorBlock } from './vector-block.ts';

/** A vector that is in no block. */
export interface LooseVector {
  readonly n: number;
  readonly exact: Buffer;
}

/** The vectors of a space and scope, as far as all of them are looked at. */
interface VectorSet {
  readonly packed: VectorBlock;
  readonly loose: readonly LooseVector[];
}

/** About a million vectors. Larger sets are read each time. */
const MOST_BYTES = 64_000_000;

export interface VectorCache {
  /** To be called within a transaction that has read something. */
  of(space: number, scope: number): VectorSet;
  /** To be called wherever blocks or loose vectors are changed. */
  forget(what: 'blocks' | 'loose'): void;
}

/** What was read stays in memory until somebody, here or in another process, has changed the file. */
export function vectorCache(connection: Connection): VectorCache {
  const selectBlocks = connection.prepare<
    [number, number],
    { readonly keys: Buffer; readonly codes: Buffer }
  >('SELECT keys, codes FROM blocks WHERE space = ? AND scope = ? ORDER BY low');
  const selectLoose = connection.prepare<[number, number], LooseVector>(
    'SELECT n, exact FROM loose CROSS JOIN vectors USING (space, scope, n) WHERE space = ? AND scope = ?',
  );
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const packed = kept<VectorBlock>(({ keys, codes }) => keys.byteLength + codes.byteLength);
  const loose = kept<readonly LooseVector[]>((list) => list.reduce((sum, one) => sum + one.exact.length, 0));
  let keptAt: number | undefined;
  return {
    forget: (what) => (what === 'blocks' ? packed : loose).forget(),
    of: (space, scope) => {
      const now = version.get();
      if (now !== keptAt) for (const part of [packed, loose]) part.forget();
      keptAt = now;
      const readBlocks = () =>
        joinBlocks(selectBlocks.all(space, scope).map(({ keys, codes }) => toBlock(keys, codes)));
      return {
        packed: packed.get(`${space} ${scope}`, readBlocks),
        loose: loose.get(`${space} ${scope}`, () => selectLoose.all(space, scope)),
      };
    },
  };
}

function kept<T>(sizeOf: (value: T) => number) {
  const values = new Map<string, T>();
  let bytes = 0;
  return {
    forget: (): void => {
      values.clear();
      bytes = 0;
    },
    get: (name: string, read: () => T): T => {
      const known = values.get(name);
      if (known !== undefined) return known;
      const value = read();
      const size = sizeOf(value);
      if (bytes + size > MOST_BYTES) return value;
      values.set(name, value);
      bytes += size;
      return value;
    },
  };
}

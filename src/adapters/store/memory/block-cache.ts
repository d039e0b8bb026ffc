import type { Connection } from '../sqlite/connection.ts';
import { joinBlocks, toBlock, type VectorBlock } from './vector-block.ts';

/** About a million vectors. Larger sets are read each time. */
const MOST_BYTES = 64_000_000;

export interface BlockCache {
  /** The blocks of a space and scope as one. To be called within a transaction that has read something. */
  of(space: number, scope: number): VectorBlock;
  /** To be called wherever blocks are changed. */
  forget(): void;
}

/** Blocks that were read stay in memory until somebody, here or in another process, has changed the file. */
export function blockCache(connection: Connection): BlockCache {
  const select = connection.prepare<[number, number], { readonly keys: Buffer; readonly codes: Buffer }>(
    'SELECT keys, codes FROM blocks WHERE space = ? AND scope = ? ORDER BY low',
  );
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const kept = new Map<string, VectorBlock>();
  let keptAt: number | undefined;
  let bytes = 0;
  const forget = (): void => {
    kept.clear();
    bytes = 0;
  };
  return {
    forget,
    of: (space, scope) => {
      const now = version.get();
      if (now !== keptAt) forget();
      keptAt = now;
      const known = kept.get(`${space} ${scope}`);
      if (known) return known;
      const read = joinBlocks(select.all(space, scope).map(({ keys, codes }) => toBlock(keys, codes)));
      const size = read.keys.byteLength + read.codes.byteLength;
      if (bytes + size <= MOST_BYTES) {
        kept.set(`${space} ${scope}`, read);
        bytes += size;
      }
      return read;
    },
  };
}

import type { SearchIndex } from '#spec/ports';
import { indexMissing } from './index-missing.ts';

export interface LazyIndexer {
  /** To be called after messages were written. Now and then it takes them all into the index. */
  wrote(count: number): Promise<void>;
  /** Takes up whatever waits. */
  flush(): Promise<void>;
}

/** The index gets its entries in groups: many small ones would cost it several times the work. */
const GROUP = 256;

/** Nothing is missed in between, because `searchSessions` takes up what waits before it looks. */
export function lazyIndexer(index: SearchIndex): LazyIndexer {
  let waiting = 0;
  const flush = async () => {
    waiting = 0;
    await indexMissing(index);
  };
  return {
    wrote: async (count) => {
      waiting += count;
      if (waiting >= GROUP) await flush();
    },
    flush,
  };
}

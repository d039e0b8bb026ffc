import type { SearchIndex } from '#spec/ports';
import { indexEntries } from './index-entries.ts';

const BATCH = 1_000;

/**
 * Puts every message into the index that is not there yet, and tells how many entries it made. Whatever a crash left
 * out is caught up.
 */
export async function indexMissing(index: Pick<SearchIndex, 'missing' | 'put'>): Promise<number> {
  let done = 0;
  for (;;) {
    const messages = await index.missing(BATCH);
    if (messages.length === 0) return done;
    await index.put(indexEntries(messages));
    done += messages.length;
  }
}

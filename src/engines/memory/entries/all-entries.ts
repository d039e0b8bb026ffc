import type { MemoryEntry } from '#spec/data';
import type { MemoryFilter, MemoryStore } from '#spec/ports';

const PAGE = 2_000;

/** Every entry of a filter, newest first, each once, also where many were made at the same moment. */
export async function* allEntries(
  store: Pick<MemoryStore, 'list'>,
  filter: Omit<MemoryFilter, 'limit' | 'before'>,
): AsyncGenerator<MemoryEntry> {
  let before: number | undefined;
  let limit = PAGE;
  for (;;) {
    const page = await store.list({ ...filter, limit, ...(before === undefined ? {} : { before }) });
    const last = page.at(-1);
    if (!last || page.length < limit) {
      yield* page;
      return;
    }
    // Those of the last moment may go on beyond the page: they are left for the next one.
    const certain = page.filter(({ createdAt }) => createdAt !== last.createdAt);
    if (certain.length === 0) limit *= 2;
    else {
      yield* certain;
      before = last.createdAt + 1;
      limit = PAGE;
    }
  }
}

import { embeddedText, termFields } from '#engines/retrieval';
import { toErrorRecord } from '#kit/app-error';
import type { MemoryEntry } from '#spec/data';
import type { Embedder, Embedding, MemoryIndex } from '#spec/ports';
import type { MemoryNotice } from '../notice.ts';
import type { IndexReport } from './memory.ts';

const MOST = 512;
const EMBEDDED_AT_ONCE = 32;
/** A query does not wait longer for its vector: words find something too. */
const PATIENCE_MS = 800;
/** After a failure the embedder is left alone for so long. */
const PAUSE_MS = 60_000;

export interface Indexer {
  /** Terms of entries that have none; cheap. */
  takeTerms(most: number): Promise<number>;
  pending(most: number | undefined, signal: AbortSignal): Promise<IndexReport>;
  /** The vector of a query, or undefined where there is none. */
  embed(text: string, signal: AbortSignal): Promise<Embedding | undefined>;
}

/** Gives entries their terms and vectors, one call at a time. */
export function indexer(
  index: MemoryIndex,
  embedder: Embedder | undefined,
  now: () => number,
  tell: (notice: MemoryNotice) => void,
): Indexer {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const told = new Set<string>();
  const tellOnce = (notice: MemoryNotice): void => {
    if (told.has(notice.kind)) return;
    told.add(notice.kind);
    tell(notice);
  };

  const takeTerms = async (most: number): Promise<number> => {
    const entries = await index.withoutTerms(most);
    if (entries.length)
      await index.putTerms(entries.map((entry) => ({ id: entry.id, fields: termFields(spoken(entry)) })));
    return entries.length;
  };

  const vectors = async (
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Embedding[] | undefined> => {
    if (!embedder) tellOnce({ kind: 'no_vectors' });
    if (!embedder || now() < pausedUntil) return undefined;
    try {
      return await embedder.embed(texts, signal);
    } catch (thrown) {
      // Whoever gave up did not see a failure.
      if (!signal.aborted) {
        pausedUntil = now() + PAUSE_MS;
        tellOnce({ kind: 'vectors_failed', why: toErrorRecord(thrown).message });
      }
      return undefined;
    }
  };

  const takeVectors = async (most: number, signal: AbortSignal): Promise<number> => {
    if (!embedder) return 0;
    let done = 0;
    while (done < most && !signal.aborted) {
      const entries = await index.withoutVector(Math.min(EMBEDDED_AT_ONCE, most - done));
      if (entries.length === 0) break;
      const made = await vectors(
        entries.map((entry) => embeddedText(spoken(entry))),
        signal,
      );
      if (!made) break;
      await index.putVectors(entries.flatMap(({ id }, at) => (made[at] ? [{ id, ...made[at] }] : [])));
      done += entries.length;
    }
    return done;
  };

  // Apart from each other: nobody who looks for something waits until others have their vectors.
  const oneForTerms = oneAtATime();
  const oneForVectors = oneAtATime();
  return {
    takeTerms: (most) => oneForTerms(() => takeTerms(most)),
    pending: async (most = MOST, signal) => {
      const terms = await oneForTerms(() => takeTerms(most));
      const made = await oneForVectors(() => takeVectors(most, signal));
      return { terms, vectors: made, more: terms === most || made >= most };
    },
    embed: (text, signal) =>
      Promise.race([vectors([text], signal).then((made) => made?.[0]), tooLate(PATIENCE_MS)]),
  };
}

function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let queue: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = queue.then(work);
    // The next one does not care how this one ended; whoever asked for it does.
    queue = result.catch(() => undefined);
    return result;
  };
}

const tooLate = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());

const spoken = ({ text, at, key, context }: MemoryEntry) => ({
  // A key such as `coupon-service/peak-hours` names what the text is about.
  text: key ? `${key.replaceAll('/', ' ')} ${text}` : text,
  at,
  ...context,
});

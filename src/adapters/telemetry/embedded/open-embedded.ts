import { join, resolve } from 'node:path';
import type { TelemetrySink, TelemetrySources } from '#spec/ports';
import { fail } from '#kit/app-error';
import { embeddedSources } from './embedded-sources.ts';
import { type Database, openFile, toStoreError } from './open-file.ts';
import { prune, usedBytes } from './prune.ts';
import { batchWriter } from './write-batch.ts';

export interface EmbeddedOptions {
  /** Six hours unless told. */
  readonly maxAgeMs?: number;
  /** 200 MB unless told. */
  readonly maxBytes?: number;
  /** 20,000 unless told. What would be more is not taken. */
  readonly maxSeries?: number;
  readonly now?: () => number;
}

/** Metrics, logs and spans of the last hours in one file. */
export interface EmbeddedStore extends TelemetrySink {
  readonly sources: Required<Pick<TelemetrySources, 'metrics' | 'logs' | 'traces'>>;
  bytes(): number;
  /** Of the newest reading, line or span, in milliseconds since the epoch; undefined where there is none. */
  lastAt(): number | undefined;
  /** Removes what is too old or too much, now. Writing does it by itself from time to time. */
  prune(): Promise<void>;
  /** The file is closed when everybody who opened it has closed it. */
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const PRUNE_EVERY_MS = 20_000;
/** Batches between two looks at the size, however short the time between. */
const PRUNE_EVERY = 200;

interface Shared {
  users: number;
  readonly opening: Promise<{ store: Omit<EmbeddedStore, 'close'>; end(): Promise<void> }>;
}

/** Receiver and readers of one process work on one connection to a file. */
const open = new Map<string, Shared>();

/** The store of a folder. Who opens it first in this process sets its bounds. */
export async function openEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedStore> {
  const path = join(resolve(folder), 'telemetry.db');
  const shared: Shared = open.get(path) ?? { users: 0, opening: openStore(path, options) };
  open.set(path, shared);
  shared.users += 1;
  const leave = async (): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (open.get(path) === shared) open.delete(path);
    await (await shared.opening).end();
  };
  try {
    const { store } = await shared.opening;
    let isOpen = true;
    return {
      ...store,
      close: async () => {
        if (!isOpen) return;
        isOpen = false;
        await leave();
      },
    };
  } catch (error) {
    open.delete(path);
    throw error;
  }
}

async function openStore(path: string, options: EmbeddedOptions): Promise<Awaited<Shared['opening']>> {
  const { maxAgeMs = 6 * HOUR_MS, maxBytes = 200_000_000, maxSeries = 20_000, now = Date.now } = options;
  const db: Database = await openFile(path);
  const writer = batchWriter(db, { maxAgeMs, maxSeries, now });
  const ending = new AbortController();
  let pruning: Promise<void> | undefined;
  let prunedAt = performance.now();
  let batches = 0;

  const pruneOnce = (): Promise<void> => {
    prunedAt = performance.now();
    batches = 0;
    pruning ??= prune(db, { maxAgeMs, maxBytes, now }, ending.signal)
      .catch((error: unknown) => {
        throw toStoreError(error, path);
      })
      .finally(() => {
        pruning = undefined;
        writer.forget();
      });
    return pruning;
  };
  const inBackground = (): void => {
    batches += 1;
    if (pruning || (performance.now() - prunedAt < PRUNE_EVERY_MS && batches < PRUNE_EVERY)) return;
    // The next write comes upon the same trouble and tells its sender.
    pruneOnce().catch(() => undefined);
  };

  const store: Omit<EmbeddedStore, 'close'> = {
    add: async (batch) => {
      if (ending.signal.aborted) throw fail('store.busy', 'The telemetry store is closing.');
      try {
        const rejected = writer.write(batch);
        inBackground();
        return rejected;
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
    sources: embeddedSources(db, path),
    bytes: () => usedBytes(db),
    lastAt: () => lastAt(db, path),
    prune: pruneOnce,
  };
  const end = async (): Promise<void> => {
    ending.abort();
    // Whoever asked for it was told; what it left comes with the next one.
    await pruning?.catch(() => undefined);
    db.close();
  };
  return { store, end };
}

/** Each part is answered by an index. */
const NEWEST = `
SELECT max(at) AS at FROM (
  SELECT max(time) AS at FROM logs
  UNION ALL SELECT max(start) FROM traces
  UNION ALL SELECT max((SELECT max(time) FROM points WHERE series = series.id)) FROM series
)`;

/** When the newest of what is stored happened, in milliseconds since the epoch. */
function lastAt(db: Database, path: string): number | undefined {
  try {
    const row = db.prepare<[], { at: number | null }>(NEWEST).get();
    return row?.at ?? undefined;
  } catch (error) {
    throw toStoreError(error, path);
  }
}

import type { MemoryCensus, MemoryIndex, MemoryStore, StagedWrites } from '#spec/ports';
import { StagedWrite } from '#spec/data';
import type { Clean } from '../sqlite/clean-writes.ts';
import { openConnection, type Connection } from '../sqlite/connection.ts';
import { writeQueue, type WriteQueue } from '../sqlite/write-queue.ts';
import { entryStore } from './entry-store.ts';
import { entryTable } from './entry-table.ts';
import { eraser } from './erase.ts';
import { foundEntries } from './found-entries.ts';
import { memoryIndex } from './memory-index.ts';
import { MEMORY_SCHEMA } from './memory-schema.ts';
import { vectorSets } from './vector-sets.ts';

/** The long-term memory of one home. Several processes may have the same file open. */
export interface MemoryDatabase {
  readonly store: MemoryStore & MemoryCensus;
  readonly index: MemoryIndex;
  readonly staged: StagedWrites;
  /** Waits for what is being written. Nothing may be called afterwards. */
  close(): Promise<void>;
}

export interface MemoryDatabaseOptions {
  readonly now?: () => number;
  /** How long a write waits for another process before it fails. */
  readonly patienceMs?: number;
  /** What every text passes on its way into the file. */
  readonly clean?: Clean;
}

const PATIENCE_MS = 15_000;

export async function openMemoryDatabase(
  path: string,
  { now = Date.now, patienceMs = PATIENCE_MS, clean }: MemoryDatabaseOptions = {},
): Promise<MemoryDatabase> {
  const connection = await openConnection(path, MEMORY_SCHEMA, clean);
  const queue = writeQueue(connection, { path, store: 'memory' }, patienceMs);
  const table = entryTable(connection);
  const vectors = vectorSets(connection);
  const found = foundEntries(connection, vectors);
  const erasing = eraser(connection, queue);
  // Somebody was told that all of it would be gone, and was cut off.
  await erasing.finish();
  return {
    store: entryStore({ connection, queue, table, found, eraser: erasing, now }),
    index: memoryIndex({ connection, queue, table, found, vectors, now }),
    staged: stagedWrites(connection, queue),
    close: async () => {
      await queue.idle();
      connection.close();
    },
  };
}

function stagedWrites(connection: Connection, queue: WriteQueue): StagedWrites {
  const insert = connection.prepare('INSERT INTO staged (id, scope, body) VALUES (?, ?, ?)');
  const list = connection
    .prepare<[string], string>(
      'SELECT body FROM staged WHERE scope IN (SELECT value FROM json_each(?)) ORDER BY n',
    )
    .pluck();
  const all = connection.prepare<[], string>('SELECT body FROM staged ORDER BY n').pluck();
  const take = connection.prepare<[string], string>('DELETE FROM staged WHERE id = ? RETURNING body').pluck();
  const parse = (body: string): StagedWrite => StagedWrite.parse(JSON.parse(body));
  return {
    add: (write) => queue.write(() => void insert.run(write.id, write.scope, JSON.stringify(write))),
    list: (scopes) => queue.read(() => (scopes ? list.all(JSON.stringify(scopes)) : all.all()).map(parse)),
    take: (id) =>
      queue.write(() => {
        const body = take.get(id);
        return body === undefined ? undefined : parse(body);
      }),
  };
}

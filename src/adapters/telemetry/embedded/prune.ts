import { setImmediate } from 'node:timers/promises';
import type { Database } from './open-file.ts';

export interface Bounds {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly now: () => number;
}

const ROWS_AT_ONCE = 2_000;
/** When the file is too large, the oldest part of the time that it holds goes. */
const PART = 0.15;

/** The bytes that the file needs for what is in it. */
export function usedBytes(db: Database): number {
  const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(
    (name) => db.pragma(name, { simple: true }) as number,
  ) as [number, number, number];
  return (pages - free) * size;
}

/**
 * Removes what is too old, and then the oldest until the file is within its size. Works in small transactions and lets
 * others run in between.
 */
export async function prune(
  db: Database,
  { maxAgeMs, maxBytes, now }: Bounds,
  signal: AbortSignal,
): Promise<void> {
  await removeBefore(db, now() - maxAgeMs, signal);
  for (let round = 0; round < 20 && !signal.aborted && usedBytes(db) > maxBytes; round++) {
    const oldest = oldestTime(db);
    if (oldest === undefined) break;
    const newest = Math.max(oldest, now());
    await removeBefore(db, oldest + Math.max(1_000, (newest - oldest) * PART), signal);
  }
  if (!signal.aborted) db.pragma('incremental_vacuum(4000)');
}

function oldestTime(db: Database): number | undefined {
  const row = db
    .prepare<[], { oldest: number | null }>(
      `SELECT min(t) AS oldest FROM (
         SELECT min(time) AS t FROM points UNION ALL SELECT min(time) FROM logs UNION ALL SELECT min(start) FROM traces)`,
    )
    .get();
  return row?.oldest ?? undefined;
}

async function removeBefore(db: Database, cutoff: number, signal: AbortSignal): Promise<void> {
  const all = db.prepare<[], { id: number }>('SELECT id FROM series').all();
  const points = db.prepare('DELETE FROM points WHERE series = ? AND time < ?');
  for (const { id } of all) {
    if (signal.aborted) return;
    if (points.run(id, cutoff).changes > 100) await setImmediate();
  }
  const logs = db.prepare(
    `DELETE FROM logs WHERE id IN (SELECT id FROM logs WHERE time < ? LIMIT ${ROWS_AT_ONCE})`,
  );
  const oldTraces = `SELECT trace FROM traces WHERE start < ? LIMIT ${ROWS_AT_ONCE / 10}`;
  const spans = db.prepare(`DELETE FROM spans WHERE trace IN (${oldTraces})`);
  const traces = db.prepare(`DELETE FROM traces WHERE trace IN (${oldTraces})`);
  while (!signal.aborted && logs.run(cutoff).changes > 0) await setImmediate();
  const both = db.transaction(() => {
    spans.run(cutoff);
    return traces.run(cutoff).changes;
  });
  while (!signal.aborted && both.immediate() > 0) await setImmediate();
  db.prepare(
    'DELETE FROM series WHERE first < ? AND NOT EXISTS (SELECT 1 FROM points WHERE series = id)',
  ).run(cutoff);
}

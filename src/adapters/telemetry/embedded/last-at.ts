import { type Database, toStoreError } from './open-file.ts';

/** Each part is answered by an index. */
const NEWEST = `
SELECT max(at) AS at FROM (
  SELECT max(time) AS at FROM logs
  UNION ALL SELECT max(start) FROM traces
  UNION ALL SELECT max((SELECT max(time) FROM points WHERE series = series.id)) FROM series
)`;

/** When the newest of what is stored happened, in milliseconds since the epoch. */
export function lastAt(db: Database, path: string): number | undefined {
  try {
    const row = db.prepare<[], { at: number | null }>(NEWEST).get();
    return row?.at ?? undefined;
  } catch (error) {
    throw toStoreError(error, path);
  }
}

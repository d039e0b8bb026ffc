import { createHash } from 'node:crypto';
import type { Database } from './open-file.ts';
import type { MetricPoint } from '#spec/ports';

/** What is known of a series while it is written to. */
export interface KnownSeries {
  readonly id: number;
  /** The totals so far, of what is sent as differences. */
  total?: { time: number; value: number; sum: number; buckets: number[] } | undefined;
}

export interface SeriesBook {
  /** Undefined: there are too many already. */
  find(point: MetricPoint): KnownSeries | undefined;
  /** To be called when a batch is stored: later new series of these instances began after it. */
  seen(points: readonly MetricPoint[]): void;
  /** Series may have gone. */
  forget(): void;
}

/** Series by what makes them one, with their numbers. Written to inside a transaction only. */
export function seriesBook(db: Database, maxSeries: number): SeriesBook {
  const known = new Map<string, KnownSeries>();
  const lastReading = new Map<string, number>();
  const select = db.prepare<[string], { id: number }>('SELECT id FROM series WHERE key = ?');
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM series');
  const insert = db.prepare(
    `INSERT INTO series (key, service, version, instance, name, unit, kind, monotonic, delta, attributes, bounds, first, since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let dataVersion: unknown;

  /** Another process may have removed series meanwhile. */
  const checkOthers = (): void => {
    const now = db.pragma('data_version', { simple: true });
    if (now !== dataVersion) known.clear();
    dataVersion = now;
  };

  const add = (point: MetricPoint, hash: string): KnownSeries | undefined => {
    if ((count.get()?.n ?? 0) >= maxSeries) return undefined;
    const { lastInsertRowid } = insert.run(
      hash,
      point.service,
      point.version ?? '',
      point.instance ?? '',
      point.name,
      point.unit,
      point.kind,
      point.monotonic ? 1 : 0,
      point.temporality === 'delta' ? 1 : 0,
      JSON.stringify(point.attributes),
      point.bounds ? JSON.stringify(point.bounds) : null,
      Math.round(point.timeMs),
      sinceOf(point, lastReading.get(instanceOf(point))),
    );
    return { id: Number(lastInsertRowid) };
  };

  return {
    find: (point) => {
      checkOthers();
      const key = keyOf(point);
      const cached = known.get(key);
      if (cached) return cached;
      const hash = createHash('sha256').update(key).digest('hex').slice(0, 32);
      const stored = select.get(hash);
      const found = stored ? { id: stored.id } : add(point, hash);
      if (found) known.set(key, found);
      return found;
    },
    seen: (points) => {
      for (const point of points) {
        const instance = instanceOf(point);
        lastReading.set(instance, Math.max(lastReading.get(instance) ?? 0, Math.round(point.timeMs)));
      }
    },
    forget: () => known.clear(),
  };
}

const instanceOf = ({ service, instance = '' }: MetricPoint): string => `${service}\n${instance}`;

/** From when on a new series counted from zero. Null: that is not known. */
function sinceOf({ startMs, timeMs, temporality }: MetricPoint, before: number | undefined): number | null {
  if (temporality === 'delta' && startMs > 0) return Math.round(startMs);
  if (before === undefined) return startMs > 0 && startMs < timeMs ? Math.round(startMs) : null;
  if (before >= timeMs) return null;
  return Math.round(Math.max(startMs, before));
}

function keyOf(point: MetricPoint): string {
  const attributes = Object.entries(point.attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { service, version, instance, name, unit, kind, monotonic, bounds } = point;
  return JSON.stringify([service, version, instance, name, unit, kind, monotonic, bounds, attributes]);
}

import type Sqlite from 'better-sqlite3';
import type { Flow } from '#spec/ports';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import type { FlowRow } from './flow-row.ts';
import { holderIsGone } from './holder.ts';

interface Sighting {
  readonly fence: number;
  readonly beat: number;
  readonly silentMs: number;
}

export interface ClaimOptions {
  readonly holder: string;
  readonly flows: readonly Flow[];
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly now: () => number;
}

/**
 * Finds flows that can be run here, and claims them. A flow whose holder has ended is free at once; one whose holder
 * only keeps silent is free when its heartbeat has stood still for the length of a lease. That is measured here, on a
 * clock that nobody sets: a step of the wall clock frees nothing, and clocks of several machines need not agree. Time in
 * which this process itself did not run hardly counts.
 */
export function claims(connection: Sqlite.Database, queue: WriteQueue, options: ClaimOptions) {
  const { holder, flows, leaseMs, pollMs, now } = options;
  const newest = new Map<string, number>();
  for (const { name, version } of flows) newest.set(name, Math.max(version, newest.get(name) ?? 0));
  const mine = [...newest].flat();
  const known = [...newest].map(() => '(flow = ? AND version <= ?)').join(' OR ') || '0';

  const due = connection.prepare<unknown[], FlowRow>(`SELECT * FROM flows
    WHERE state = 'waiting' AND wakes_at <= ? AND (${known}) ORDER BY wakes_at LIMIT ?`);
  const held = connection.prepare<unknown[], FlowRow>(
    `SELECT * FROM flows WHERE state = 'running' AND (${known})`,
  );
  const next = connection
    .prepare<unknown[], number | null>(
      `SELECT min(wakes_at) FROM flows WHERE state = 'waiting' AND (${known})`,
    )
    .pluck();
  const take = connection.prepare<unknown[], FlowRow>(`UPDATE flows
    SET state = 'running', holder = ?, fence = fence + 1, beat = 0, waits_for = NULL, wakes_at = NULL,
      claims = claims + (state = 'running')
    WHERE id = ? AND fence = ? AND state = ? RETURNING *`);
  let sightings = new Map<string, Sighting>();
  let lookedAt = performance.now();

  /** Of the flows that others hold, those whose holders are gone or silent for too long. */
  function abandoned(rows: readonly FlowRow[], running: ReadonlySet<string>): FlowRow[] {
    const at = performance.now();
    const passed = Math.min(at - lookedAt, 2 * pollMs);
    lookedAt = at;
    const others = rows.filter((row) => row.holder !== holder || !running.has(row.id));
    const seen = others.map((row): [FlowRow, Sighting] => {
      const before = sightings.get(row.id);
      const same = before?.fence === row.fence && before.beat === row.beat;
      return [row, { fence: row.fence, beat: row.beat, silentMs: same ? before.silentMs + passed : 0 }];
    });
    sightings = new Map(seen.map(([row, sighting]) => [row.id, sighting]));
    const gone = new Map(others.map((row) => [row.holder, row.holder !== null && holderIsGone(row.holder)]));
    return seen
      .filter(([row, { silentMs }]) => gone.get(row.holder) || silentMs > leaseMs)
      .map(([row]) => row);
  }

  return {
    /** Claims at most so many. `running` are those that this process is running. */
    claim: async (most: number, running: ReadonlySet<string>): Promise<readonly FlowRow[]> => {
      if (flows.length === 0 || most <= 0) return [];
      const free = await queue.read(() => [
        ...abandoned(held.all(...mine), running),
        ...due.all(now(), ...mine, most),
      ]);
      if (free.length === 0) return [];
      return queue.write(() =>
        free.slice(0, most).flatMap((row) => take.get(holder, row.id, row.fence, row.state) ?? []),
      );
    },
    /** When the next waiting flow is due. */
    nextDue: (): Promise<number | undefined> => queue.read(() => next.get(...mine) ?? undefined),
  };
}

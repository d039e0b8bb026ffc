import type { Database } from './open-file.ts';
import { eachStep, type Grid } from './grid.ts';

export interface SeriesInfo {
  readonly id: number;
  readonly service: string;
  readonly version: string;
  readonly instance: string;
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly monotonic: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly bounds: readonly number[];
}

/** A series over the steps of a grid. Nothing is known of a step where `covered` is 0. */
export interface SeriesOnGrid extends SeriesInfo {
  /** Milliseconds of each step that readings speak of. */
  readonly covered: Float64Array;
  /** Of counters and histograms: how much was added in each step. Of others: the mean of the readings. */
  readonly amount: Float64Array;
  /** Of histograms: what was added up, and the counts of the buckets, step by step. */
  readonly sum: Float64Array;
  readonly buckets: Float64Array;
  readonly lastMs: number;
}

interface SeriesRow extends Omit<SeriesInfo, 'monotonic' | 'attributes' | 'bounds'> {
  readonly monotonic: number;
  readonly delta: number;
  readonly attributes: string;
  readonly bounds: string | null;
  readonly first: number;
  readonly since: number | null;
}

interface Reading {
  readonly time: number;
  readonly start: number;
  readonly value: number;
  readonly sum: number | null;
  readonly buckets: string | null;
}

/** How far back the reading may lie that the first one of the window is compared to. */
const LOOK_BACK_MS = 5 * 60_000;
/** A level holds until the next reading, if that comes soon. */
const HOLD_MS = 15_000;

export const isCounter = ({ kind, monotonic }: Pick<SeriesInfo, 'kind' | 'monotonic'>): boolean =>
  kind === 'histogram' || (kind === 'sum' && monotonic);

export interface SeriesReader {
  services(): string[];
  /** The series of a service, those without a reading left out. Lazily: the caller decides when to pause. */
  read(service: string, grid: Grid): Iterable<SeriesOnGrid>;
}

export function seriesReader(db: Database): SeriesReader {
  const services = db.prepare<[], { service: string }>(
    'SELECT DISTINCT service FROM series ORDER BY service',
  );
  const ofService = db.prepare<[string], SeriesRow>(
    'SELECT * FROM series WHERE service = ? ORDER BY name, id',
  );
  const before = db.prepare<[number, number, number], Reading>(
    'SELECT time, start, value, sum, buckets FROM points WHERE series = ? AND time <= ? AND time > ? ORDER BY time DESC LIMIT 1',
  );
  // The last reading of each step is enough of a total.
  const totals = db.prepare<[number, number, number, number, number], Reading>(
    `SELECT max(time) AS time, start, value, sum, buckets FROM points
     WHERE series = ? AND time > ? AND time <= ? GROUP BY CAST((time - ? - 1) / ? AS INTEGER)`,
  );
  const levels = db.prepare<[number, number, number, number, number], { time: number; value: number }>(
    `SELECT max(time) AS time, avg(value) AS value FROM points
     WHERE series = ? AND time > ? AND time <= ? GROUP BY CAST((time - ? - 1) / ? AS INTEGER)`,
  );

  const readTotals = (row: SeriesRow, grid: Grid): SeriesOnGrid | undefined => {
    const base = before.get(row.id, grid.startMs, grid.startMs - LOOK_BACK_MS);
    const readings = totals.all(row.id, grid.startMs, grid.endMs, grid.startMs, grid.stepMs);
    const end = readings.at(-1);
    if (!end) return undefined;
    const out = emptySeries(row, grid, end.time);
    const isNew = !base && row.since !== null && row.first > grid.startMs;
    const zero: Reading = { time: row.since ?? 0, start: 0, value: 0, sum: 0, buckets: null };
    let last = base ?? (isNew ? zero : undefined);
    for (const reading of readings) {
      if (last) addIncrease(out, grid, last, reading, row.delta === 1);
      last = reading;
    }
    return out;
  };

  const readLevels = (row: SeriesRow, grid: Grid): SeriesOnGrid | undefined => {
    const readings = levels.all(row.id, grid.startMs - 1, grid.endMs, grid.startMs, grid.stepMs);
    const end = readings.at(-1);
    if (!end) return undefined;
    const out = emptySeries(row, grid, end.time);
    const hold = Math.max(HOLD_MS, 3 * grid.stepMs);
    for (const [at, { time, value }] of readings.entries()) {
      const next = readings[at + 1]?.time ?? time;
      const step = Math.max(0, Math.floor((time - 1 - grid.startMs) / grid.stepMs));
      const until = next - time <= hold ? Math.floor((next - 1 - grid.startMs) / grid.stepMs) - 1 : step;
      for (let on = step; on <= Math.max(step, until) && on < grid.count; on++) {
        out.amount[on] = value;
        out.covered[on] = grid.stepMs;
      }
    }
    return out;
  };

  return {
    services: () => services.all().map(({ service }) => service),
    *read(service, grid) {
      for (const row of ofService.all(service)) {
        const series =
          row.kind === 'gauge' || (row.kind === 'sum' && !row.monotonic)
            ? readLevels(row, grid)
            : readTotals(row, grid);
        if (series) yield series;
      }
    },
  };
}

function emptySeries(row: SeriesRow, { count }: Grid, lastMs: number): SeriesOnGrid {
  const { monotonic, attributes, bounds, ...info } = row;
  const limits = bounds === null ? [] : (JSON.parse(bounds) as number[]);
  const isHistogram = row.kind === 'histogram';
  return {
    ...info,
    monotonic: monotonic === 1,
    attributes: JSON.parse(attributes) as Record<string, string>,
    bounds: limits,
    covered: new Float64Array(count),
    amount: new Float64Array(count),
    sum: new Float64Array(isHistogram ? count : 0),
    buckets: new Float64Array(isHistogram ? count * (limits.length + 1) : 0),
    lastMs,
  };
}

/**
 * What was added between two readings, spread evenly over the time between them. A total that became less, or that began
 * anew, was set back to zero in between.
 */
function addIncrease(out: SeriesOnGrid, grid: Grid, last: Reading, reading: Reading, isDelta: boolean): void {
  const wasReset = reading.value < last.value || (!isDelta && last.start > 0 && reading.start > last.start);
  const base = wasReset ? undefined : last;
  const from = beginning(grid, last, reading, isDelta, wasReset);
  const whole = reading.time - from;
  if (whole <= 0 || whole > Math.max(LOOK_BACK_MS, 5 * grid.stepMs)) return;
  const width = out.bounds.length + 1;
  const counts = reading.buckets ? (JSON.parse(reading.buckets) as number[]) : undefined;
  const countsBefore = base?.buckets ? (JSON.parse(base.buckets) as number[]) : [];
  eachStep(grid, from, reading.time, (step, ms) => {
    const part = ms / whole;
    const add = (list: Float64Array, at: number, value: number): void => {
      list[at] = (list[at] ?? 0) + value;
    };
    add(out.covered, step, ms);
    add(out.amount, step, part * (reading.value - (base?.value ?? 0)));
    if (reading.sum !== null && out.sum.length) add(out.sum, step, part * (reading.sum - (base?.sum ?? 0)));
    counts?.forEach((count, at) => {
      if (at < width) add(out.buckets, step * width + at, part * (count - (countsBefore[at] ?? 0)));
    });
  });
}

function beginning(grid: Grid, last: Reading, reading: Reading, isDelta: boolean, wasReset: boolean): number {
  if (isDelta) {
    // A sender of differences is silent while nothing happens: its own beginning counts, or that of the step.
    const step = grid.startMs + Math.floor((reading.time - 1 - grid.startMs) / grid.stepMs) * grid.stepMs;
    return reading.start > 0 ? Math.max(last.time, Math.min(reading.start, step)) : last.time;
  }
  return wasReset && reading.start < reading.time ? Math.max(last.time, reading.start) : last.time;
}

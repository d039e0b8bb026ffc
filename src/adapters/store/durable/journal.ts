import type Sqlite from 'better-sqlite3';
import type { FlowFailure, FlowSignal } from '#spec/ports';
import type { Clean } from '../sqlite/clean-writes.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

/** One call that a flow made. `begun` without an end: the process went away in between. */
export interface Call {
  readonly seq: number;
  readonly kind: 'step' | 'once' | 'wait' | 'sleep' | 'now';
  readonly name: string;
  readonly state: 'begun' | 'done' | 'failed' | 'uncertain';
  readonly value: string | null;
  readonly due_at: number | null;
  readonly begun_at: number;
}

/** The right to write for a flow. A claim with a higher fence ends it. */
export interface Hold {
  readonly id: string;
  readonly fence: number;
}

/** A wait that has begun. A sleep is one for no signal. */
export interface Wait {
  readonly seq: number;
  readonly names: readonly string[];
  readonly dueAt: number;
}

/** How a wait ended: by a signal, or by its time. */
export interface WaitEnd {
  readonly seq: number;
  readonly signal?: FlowSignal;
}

/** Stands for a write that was not made because somebody else holds the flow now. */
export const LOST = Symbol('lost');
type Fenced<T> = Promise<T | typeof LOST>;

/** All writing is done under the hold: whether it still stands is checked in the transaction that writes. */
export interface Journal {
  /** A value as it is kept. */
  readonly clean: Clean;
  calls(id: string): Promise<readonly Call[]>;
  /** Puts down that a call has begun, and when. */
  begin(hold: Hold, call: Pick<Call, 'seq' | 'kind' | 'name'>): Fenced<number>;
  end(hold: Hold, call: Pick<Call, 'seq' | 'kind' | 'name' | 'state' | 'value'>): Fenced<void>;
  /** Begins a wait, unless it has begun; tells its end if there is one already. */
  wait(hold: Hold, call: Pick<Call, 'kind' | 'name'>, wait: Wait): Fenced<WaitEnd | undefined>;
  /** Ends the waits that can end. If there is none, puts the flow away until one can. */
  park(hold: Hold, waits: readonly Wait[]): Fenced<readonly WaitEnd[]>;
  finish(
    hold: Hold,
    end: { readonly output: string | null } | { readonly failure: FlowFailure },
  ): Fenced<void>;
  /** Gives the flow back, to be claimed at that time. */
  release(hold: Hold, at: number): Fenced<void>;
  holds(hold: Hold): Promise<boolean>;
  /** Shows that these are alive, and tells which of them belong to somebody else by now. */
  beat(holds: readonly Hold[]): Promise<readonly Hold[]>;
}

export function openJournal(
  connection: Sqlite.Database,
  queue: WriteQueue,
  { now, clean = (text) => text }: { readonly now: () => number; readonly clean?: Clean },
): Journal {
  const sql = statements(connection);

  const fenced = <T>(hold: Hold, body: (at: number) => T): Fenced<T> =>
    queue.write(() => {
      const at = now();
      return sql.touch.run(at, hold.id, hold.fence).changes === 0 ? LOST : body(at);
    });

  const settle = (hold: Hold, { seq, names, dueAt }: Wait, at: number): WaitEnd | undefined => {
    const found = sql.findSignal.get(hold.id, JSON.stringify(names));
    if (!found && at < dueAt) return undefined;
    const { n, ...signal } = found ?? { n: 0 };
    const end =
      'name' in signal
        ? { seq, signal: { ...signal, payload: JSON.parse(signal.payload) as unknown } }
        : { seq };
    if (found) sql.takeSignal.run(seq, n);
    sql.endCall.run('done', JSON.stringify(end), hold.id, seq);
    return end;
  };

  return {
    clean,
    calls: (id) => queue.read(() => sql.calls.all(id)),
    begin: (hold, call) =>
      fenced(hold, (at) => {
        sql.addCall.run({
          ...call,
          flow: hold.id,
          state: 'begun',
          value: null,
          due_at: null,
          at,
          fence: hold.fence,
        });
        return at;
      }),
    end: (hold, call) =>
      fenced(hold, (at) => {
        if (sql.endCall.run(call.state, call.value, hold.id, call.seq).changes > 0) return;
        sql.addCall.run({ ...call, flow: hold.id, due_at: null, at, fence: hold.fence });
      }),
    wait: (hold, call, wait) =>
      fenced(hold, (at) => {
        const row = {
          ...call,
          seq: wait.seq,
          flow: hold.id,
          state: 'begun',
          value: null,
          due_at: wait.dueAt,
        };
        sql.addCall.run({ ...row, at, fence: hold.fence });
        return settle(hold, wait, at);
      }),
    park: (hold, waits) =>
      fenced(hold, (at) => {
        const ends = waits.flatMap((wait) => settle(hold, wait, at) ?? []);
        if (ends.length > 0) return ends;
        const names = JSON.stringify(waits.flatMap((wait) => wait.names));
        sql.putAway.run('waiting', names, Math.min(...waits.map(({ dueAt }) => dueAt)), hold.id);
        return [];
      }),
    finish: (hold, end) =>
      fenced(hold, () => {
        if ('failure' in end) sql.finish.run('failed', null, JSON.stringify(end.failure), hold.id);
        else sql.finish.run('done', end.output, null, hold.id);
      }),
    release: (hold, at) => fenced(hold, () => void sql.putAway.run('waiting', '[]', at, hold.id)),
    holds: (hold) => queue.read(() => sql.holds.get(hold.id, hold.fence) !== undefined),
    beat: (holds) =>
      queue.write(() => holds.filter(({ id, fence }) => sql.beat.run(id, fence).changes === 0)),
  };
}

type SignalRow = FlowSignal & { readonly n: number; readonly payload: string };

function statements(connection: Sqlite.Database) {
  return {
    touch: connection.prepare<[number, string, number]>(
      `UPDATE flows SET claims = 0, updated_at = ? WHERE id = ? AND fence = ? AND state = 'running'`,
    ),
    beat: connection.prepare<[string, number]>(
      `UPDATE flows SET beat = beat + 1 WHERE id = ? AND fence = ? AND state = 'running'`,
    ),
    holds: connection.prepare<[string, number]>(
      `SELECT 1 FROM flows WHERE id = ? AND fence = ? AND state = 'running'`,
    ),
    calls: connection.prepare<[string], Call>(
      'SELECT seq, kind, name, state, value, due_at, begun_at FROM calls WHERE flow = ? ORDER BY seq',
    ),
    addCall:
      connection.prepare(`INSERT INTO calls (flow, seq, kind, name, state, value, due_at, begun_at, fence)
      VALUES (@flow, @seq, @kind, @name, @state, @value, @due_at, @at, @fence) ON CONFLICT DO NOTHING`),
    endCall: connection.prepare<[string, string | null, string, number]>(
      'UPDATE calls SET state = ?, value = ? WHERE flow = ? AND seq = ?',
    ),
    findSignal: connection.prepare<[string, string], SignalRow>(`SELECT n, name, key, payload, at FROM signals
      WHERE flow = ? AND taken_by IS NULL AND name IN (SELECT value FROM json_each(?)) ORDER BY n LIMIT 1`),
    takeSignal: connection.prepare<[number, number]>('UPDATE signals SET taken_by = ? WHERE n = ?'),
    putAway: connection.prepare<[string, string, number, string]>(
      'UPDATE flows SET state = ?, waits_for = ?, wakes_at = ?, holder = NULL WHERE id = ?',
    ),
    finish: connection.prepare<[string, string | null, string | null, string]>(
      `UPDATE flows SET state = ?, output = ?, failure = ?, holder = NULL, waits_for = NULL, wakes_at = NULL WHERE id = ?`,
    ),
  };
}

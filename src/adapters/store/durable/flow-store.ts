import type Sqlite from 'better-sqlite3';
import type { FlowFilter, FlowRecord } from '#spec/ports';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import { type FlowRow, toFlowCall, toFlowRecord } from './flow-row.ts';
import type { Call } from './journal.ts';

interface NewFlow {
  readonly id: string;
  readonly flow: string;
  readonly version: number;
  readonly input: string;
  readonly at: number;
}

interface NewSignal {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly payload: string;
  readonly at: number;
}

/** Flows as a whole, for those who start, signal and look at them. */
export function flowStore(connection: Sqlite.Database, queue: WriteQueue) {
  const insert = connection.prepare<NewFlow>(`INSERT INTO flows
    (id, flow, version, input, state, waits_for, wakes_at, created_at, updated_at)
    VALUES (@id, @flow, @version, @input, 'waiting', '[]', 0, @at, @at) ON CONFLICT (id) DO NOTHING`);
  const get = connection.prepare<[string], FlowRow>('SELECT * FROM flows WHERE id = ?');
  const calls = connection.prepare<[string], Call>(
    'SELECT seq, kind, name, state, value, due_at, begun_at FROM calls WHERE flow = ? ORDER BY seq',
  );
  const addSignal = connection.prepare<NewSignal>(`INSERT INTO signals (flow, name, key, payload, at)
    VALUES (@id, @name, @key, @payload, @at) ON CONFLICT DO NOTHING`);
  const wake = connection.prepare<[string, string]>(`UPDATE flows SET wakes_at = 0
    WHERE id = ? AND state = 'waiting' AND EXISTS (SELECT 1 FROM json_each(waits_for) WHERE value = ?)`);
  const list = connection.prepare<Record<string, unknown>, FlowRow>(`SELECT * FROM flows
    WHERE (@flow IS NULL OR flow = @flow) AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
    ORDER BY n DESC LIMIT @limit`);
  const prune = connection.prepare<[number]>(
    `DELETE FROM flows WHERE state IN ('done', 'failed') AND updated_at < ?`,
  );

  return {
    add: (flow: NewFlow): Promise<boolean> => queue.write(() => insert.run(flow).changes > 0),
    signal: (signal: NewSignal): Promise<boolean> =>
      queue.write(() => {
        const state = get.get(signal.id)?.state;
        if (state === undefined || state === 'done' || state === 'failed') return false;
        if (addSignal.run(signal).changes > 0) wake.run(signal.id, signal.name);
        return true;
      }),
    get: (id: string): Promise<FlowRecord | undefined> =>
      queue.read(() => {
        const row = get.get(id);
        return row && { ...toFlowRecord(row), calls: calls.all(id).map(toFlowCall) };
      }),
    hasEnded: (id: string): Promise<boolean | undefined> =>
      queue.read(() => {
        const row = get.get(id);
        return row && (row.state === 'done' || row.state === 'failed');
      }),
    list: ({ flow, states, limit }: FlowFilter): Promise<readonly FlowRecord[]> =>
      queue.read(() => {
        const filter = { flow: flow ?? null, states: states ? JSON.stringify(states) : null, limit };
        return list.all(filter).map(toFlowRecord);
      }),
    prune: (endedBefore: number): Promise<number> => queue.write(() => prune.run(endedBefore).changes),
  };
}

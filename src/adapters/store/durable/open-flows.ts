import { fail, toErrorRecord } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import { steadyClock } from '#kit/steady-clock';
import type { ErrorRecord } from '#spec/data';
import type { DurableEngine, Flow } from '#spec/ports';
import type { Clean } from '../sqlite/clean-writes.ts';
import { type WriteQueue, writeQueue } from '../sqlite/write-queue.ts';
import { claims } from './claims.ts';
import type { FlowRow } from './flow-row.ts';
import { flowStore } from './flow-store.ts';
import { openFlowTables } from './flow-tables.ts';
import { newHolder } from './holder.ts';
import { openJournal } from './journal.ts';
import { lookout } from './lookout.ts';
import { type FlowRun, runFlow } from './run-flow.ts';
import { encodeValue } from './stored-value.ts';

export interface FlowsOptions {
  /** What this process runs, every version that it still can. With none, it only starts, signals and looks. */
  readonly flows: readonly Flow[];
  /** Told what went wrong outside of any flow's own code, such as a locked file. */
  readonly report: (problem: ErrorRecord) => void;
  /** How long the heartbeat of a live holder may stand still before the flow is taken over. */
  readonly leaseMs?: number;
  /** How long a signal of another process may lie before it is noticed. */
  readonly pollMs?: number;
  readonly maxRunning?: number;
  /** How often a flow may change hands without one step forward before it is given up. */
  readonly maxClaims?: number;
  /** How long `close` lets running steps end. */
  readonly closeGraceMs?: number;
  readonly patienceMs?: number;
  /** What every text passes on its way into the file. A step gives back what was kept, when it runs and on a replay. */
  readonly clean?: Clean;
  /** What sleeps and timeouts are measured by: the wall clock, which is not believed when it goes back. */
  readonly now?: () => number;
  /** Called in every write: in its transaction after the last statement, and when it is on disk. */
  readonly onWrite?: (moment: 'inside' | 'after') => void;
}

export interface Flows extends DurableEngine {
  /** Removes flows that ended before that time, and tells how many. */
  prune(endedBefore: number): Promise<number>;
}

const DEFAULTS = {
  leaseMs: 15_000,
  pollMs: 500,
  maxRunning: 64,
  maxClaims: 20,
  closeGraceMs: 5_000,
  patienceMs: 15_000,
};

const MOST_ID_CHARS = 200;

/** The flows of one home, in one file that several processes may have open. */
export async function openFlows(path: string, given: FlowsOptions): Promise<Flows> {
  const options = { ...DEFAULTS, now: steadyClock(), ...given };
  const { flows, report, leaseMs, now } = options;
  checkFlows(flows);
  const connection = await openFlowTables(path, options.clean);
  const queue = watched(
    writeQueue(connection, { path, store: 'flows' }, options.patienceMs),
    options.onWrite,
  );
  const journal = openJournal(connection, queue, { now, ...(options.clean ? { clean: options.clean } : {}) });
  const store = flowStore(connection, queue);
  const claiming = claims(connection, queue, { ...options, holder: newHolder() });
  const running = new Map<string, FlowRun>();
  const concluding = new Set<Promise<void>>();
  const endings = new EventTarget();

  const begin = (row: FlowRow): void => {
    const versions = flows.filter(({ name }) => name === row.flow);
    const flow = versions.find(({ version }) => version === row.version);
    const known = versions.map(({ version }) => version);
    const run = runFlow({ ...options, row, flow, known, journal, pauseMs: leaseMs });
    // A run of the same flow that was lost may still be ending.
    running.set(row.id, run);
    const concluded = run.ended.then((end) => {
      concluding.delete(concluded);
      if (running.get(row.id) === run) running.delete(row.id);
      if (end.kind === 'broken') report(toErrorRecord(end.error));
      if (end.kind === 'done' || end.kind === 'failed') endings.dispatchEvent(new Event(row.id));
      look.soon();
    });
    concluding.add(concluded);
  };

  const look = lookout({
    look: async () => {
      const rows = await claiming.claim(options.maxRunning - running.size, new Set(running.keys()));
      for (const row of rows) begin(row);
      return rows.length;
    },
    beat: async () => {
      const holds = [...running.values()].map(({ hold }) => hold);
      const lost = holds.length > 0 ? await journal.beat(holds) : [];
      for (const hold of lost) {
        const run = running.get(hold.id);
        if (run?.hold.fence === hold.fence) run.lose();
      }
    },
    idle: flows.length === 0,
    nextDueMs: async () => {
      const at = running.size < options.maxRunning ? await claiming.nextDue() : undefined;
      return at === undefined ? undefined : at - now();
    },
    pollMs: options.pollMs,
    beatMs: leaseMs / 3,
    report: (error) => report(toErrorRecord(error)),
  });

  return {
    start: async (flow, id, input) => {
      if (!id || id.length > MOST_ID_CHARS) {
        throw fail('input.invalid', `The id of a flow has 1 to ${MOST_ID_CHARS} characters`);
      }
      const text = checkInput(flow, input);
      const added = await store.add({ id, flow: flow.name, version: flow.version, input: text, at: now() });
      if (added) look.soon();
      return added;
    },
    signal: async (id, name, payload, key) => {
      const text = encodeValue(payload, `signal '${name}'`) ?? 'null';
      const kept = await store.signal({ id, name, key, payload: text, at: now() });
      if (kept) look.soon();
      return kept;
    },
    get: store.get,
    list: store.list,
    prune: store.prune,
    resume: look.now,
    ended: async (id, signal) => {
      while (!signal.aborted) {
        const turned = new AbortController();
        const stop = AbortSignal.any([signal, turned.signal]);
        endings.addEventListener(id, () => turned.abort(), { once: true, signal: stop });
        try {
          const over = await store.hasEnded(id);
          if (over === undefined) throw fail('input.invalid', `There is no flow '${id}'`);
          if (over) return await store.get(id);
          await sleep(options.pollMs, stop);
        } finally {
          turned.abort();
        }
      }
      return undefined;
    },
    close: async () => {
      await look.close();
      for (const run of running.values()) run.close(options.closeGraceMs);
      await Promise.all(concluding);
      await queue.idle();
      connection.close();
    },
  };
}

function watched(queue: WriteQueue, onWrite: FlowsOptions['onWrite']): WriteQueue {
  if (!onWrite) return queue;
  return {
    ...queue,
    write: async (body) => {
      const written = await queue.write(() => {
        const value = body();
        onWrite('inside');
        return value;
      });
      onWrite('after');
      return written;
    },
  };
}

function checkFlows(flows: readonly Flow[]): void {
  const seen = new Set<string>();
  for (const { name, version } of flows) {
    const both = `${name} ${version}`;
    if (seen.has(both)) throw fail('internal', `Flow '${name}' has two definitions of version ${version}`);
    seen.add(both);
  }
}

/** The input as it is stored, if the flow will be able to read it. */
function checkInput<Input>(flow: Flow<Input>, input: Input): string {
  const text = encodeValue(input, `the start of '${flow.name}'`) ?? 'null';
  const read = flow.input.safeParse(JSON.parse(text));
  if (read.success) return text;
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') || 'input';
  throw fail('input.invalid', `Flow '${flow.name}' cannot start: ${where}: ${issue?.message}`);
}

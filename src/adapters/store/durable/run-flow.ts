import { AppError, fail, toErrorRecord } from '#kit/app-error';
import { isOwnStoreFailure } from '#kit/store-failure';
import type { Flow, FlowFailure } from '#spec/ports';
import type { FlowRow } from './flow-row.ts';
import { type Call, type Hold, type Journal, LOST } from './journal.ts';
import type { RunEnd } from './replay.ts';
import { replayContext } from './replay-context.ts';
import { encodeValue } from './stored-value.ts';

export interface FlowRun {
  readonly hold: Hold;
  /** Never rejects. What had to be written about the end is written. */
  readonly ended: Promise<RunEnd>;
  /** Another process has the flow: whatever still runs here is told to stop, and counts for nothing. */
  lose(): void;
  /** Begins nothing more, and lets what runs end for so long. */
  close(graceMs: number): void;
}

export interface RunOptions {
  readonly row: FlowRow;
  /** Undefined: this process does not know the version. */
  readonly flow: Flow | undefined;
  readonly known: readonly number[];
  readonly maxClaims: number;
  readonly journal: Journal;
  readonly now: () => number;
  /** How long to leave a flow alone whose journal could not be written. */
  readonly pauseMs: number;
}

/** Runs a claimed flow from its beginning until it ends, waits, or is taken away. */
export function runFlow(options: RunOptions): FlowRun {
  const { row, journal } = options;
  const hold: Hold = { id: row.id, fence: row.fence };
  const abort = new AbortController();
  const stopping = Promise.withResolvers<RunEnd>();
  let closing = false;
  let stopped = false;
  let grace: NodeJS.Timeout | undefined;
  let idle = (): boolean => true;

  const stop = (end: RunEnd): void => {
    stopped = true;
    stopping.resolve(end);
  };
  const ended = (async () => {
    const end = await Promise.race([stopping.promise, run()]);
    clearTimeout(grace);
    return conclude(end);
  })();

  async function run(): Promise<RunEnd> {
    try {
      const refused = refuse(options);
      if (refused) return refused;
      const calls = await journal.calls(row.id);
      return await follow(calls);
    } catch (error) {
      return { kind: 'broken', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  async function follow(calls: readonly Call[]): Promise<RunEnd> {
    const { flow } = options;
    const input = flow && readInput(flow, row);
    if (!flow || !input?.success) return corrupt(row, input?.error);
    const replay = replayContext({
      hold,
      calls,
      journal,
      now: options.now,
      signal: abort.signal,
      closing: () => closing,
      stopped: () => stopped,
      stop,
    });
    idle = replay.idle;
    try {
      const output = await flow.run(replay.context, input.data);
      const wrong = replay.unfinished();
      return wrong ? failed('diverged', wrong) : { kind: 'done', output };
    } catch (error) {
      const record = toErrorRecord(error);
      // Told to stop, it did not fail; nor when there was no room to write something down.
      if (closing) return { kind: 'stopped' };
      return isOwnStoreFailure(record)
        ? { kind: 'broken', error: new AppError(record, { cause: error }) }
        : failed('threw', record);
    }
  }

  async function conclude(end: RunEnd): Promise<RunEnd> {
    try {
      const written = await write(end);
      return written === LOST ? { kind: 'lost' } : end;
    } catch (error) {
      return { kind: 'broken', error: error as Error };
    } finally {
      // A run that was abandoned may still have bodies at work; for those of a parked one there is nothing to stop.
      if (end.kind !== 'parked') abort.abort();
    }
  }

  function write(end: RunEnd): Promise<unknown> {
    if (end.kind === 'failed') return journal.finish(hold, end);
    if (end.kind === 'stopped') return journal.release(hold, 0);
    if (end.kind === 'broken') return journal.release(hold, options.now() + options.pauseMs);
    if (end.kind !== 'done') return Promise.resolve();
    try {
      return journal.finish(hold, { output: encodeValue(end.output, 'the flow') });
    } catch (error) {
      return journal.finish(hold, failed('threw', toErrorRecord(error)));
    }
  }

  return {
    hold,
    ended,
    lose: () => {
      stop({ kind: 'lost' });
      abort.abort();
    },
    close: (graceMs) => {
      closing = true;
      abort.abort();
      const giveUp = () => stop({ kind: 'stopped' });
      if (idle()) giveUp();
      else grace = setTimeout(giveUp, graceMs);
    },
  };
}

const failed = (reason: FlowFailure['reason'], error: FlowFailure['error']) =>
  ({ kind: 'failed', failure: { reason, error } }) as const;

/** What keeps a flow from being run at all. */
function refuse({ row, flow, known, maxClaims }: RunOptions): RunEnd | undefined {
  if (row.claims > maxClaims) {
    const message = `Flow '${row.id}' was begun ${row.claims} times, and each time the process ended without one step forward`;
    return failed('stuck', fail('internal', message).record);
  }
  if (flow) return undefined;
  const versions = known.join(', ');
  const message = `Flow '${row.id}' began with version ${row.version} of '${row.flow}', and this program has ${versions}`;
  return failed('version', fail('internal', message).record);
}

function readInput(flow: Flow, row: FlowRow) {
  try {
    return flow.input.safeParse(JSON.parse(row.input));
  } catch (error) {
    return { success: false, error } as const;
  }
}

function corrupt(row: FlowRow, cause: unknown): RunEnd {
  const why = cause instanceof AppError || cause instanceof Error ? cause.message : 'it does not fit';
  const message = `The stored input of flow '${row.id}' cannot be read: ${why}`;
  return failed('corrupt', fail('store.corrupt', message).record);
}

import type { ErrorRecord } from '#spec/data';
import { fail } from '#kit/app-error';
import type { FlowContext } from '#spec/ports';
import { callOrder } from './call-order.ts';
import { LOST } from './journal.ts';
import { never, type Replay, type ReplayDeps } from './replay.ts';
import { stepCalls } from './step-calls.ts';
import { decodeValue } from './stored-value.ts';
import { waitCalls } from './wait-calls.ts';

/** The context of one run: gives back what the journal has, and goes on where it ends. */
export function replayContext(deps: ReplayDeps): {
  readonly context: FlowContext;
  /** Nothing runs that would be cut off. */
  idle(): boolean;
  /** What is wrong with ending now. */
  unfinished(): ErrorRecord | undefined;
} {
  const { hold, stop } = deps;
  const order = callOrder(hold.id, deps.calls);
  let bodies = 0;

  const replay: Replay = {
    ...deps,
    call: async (kind, name, perform) => {
      if (deps.stopped() || deps.closing()) return never();
      const place = order.begin({ kind, name });
      if ('code' in place) {
        stop({ kind: 'failed', failure: { reason: 'diverged', error: place } });
        return never();
      }
      try {
        return await perform(place);
      } finally {
        order.settle(place.seq);
      }
    },
    kept: async (write) => {
      if (deps.stopped()) return never();
      try {
        const written = await write();
        if (written !== LOST) return written;
        stop({ kind: 'lost' });
      } catch (error) {
        stop({ kind: 'broken', error: error as Error });
      }
      return never();
    },
    busy: async (work) => {
      bodies++;
      try {
        return await work();
      } finally {
        bodies--;
        if (bodies === 0 && deps.closing()) stop({ kind: 'stopped' });
        else if (bodies === 0) waits.reconsider();
      }
    },
    stored: async (found) => {
      try {
        return decodeValue(found.value);
      } catch (cause) {
        const message = `The result of ${found.kind} '${found.name}' of flow '${hold.id}' cannot be read`;
        const { record } = fail('store.corrupt', `${message}: ${(cause as Error).message}`);
        stop({ kind: 'failed', failure: { reason: 'corrupt', error: record } });
        return never();
      }
    },
  };
  const waits = waitCalls(replay, () => bodies === 0);

  return {
    idle: () => bodies === 0,
    unfinished: order.unfinished,
    context: {
      id: hold.id,
      fence: hold.fence,
      signal: deps.signal,
      ...stepCalls(replay),
      waitFor: waits.waitFor,
      sleep: waits.sleep,
      now: () =>
        replay.call('now', 'now', async ({ seq, found }) => {
          if (found) return (await replay.stored(found)) as number;
          const at = deps.now();
          const call = { seq, kind: 'now', name: 'now', state: 'done', value: JSON.stringify(at) } as const;
          await replay.kept(() => deps.journal.end(hold, call));
          return at;
        }),
    },
  };
}

import { createHash } from 'node:crypto';
import { AppError, toErrorRecord } from '#kit/app-error';
import { backoffMs } from '#kit/backoff';
import { sleep } from '#kit/sleep';
import { isOwnStoreFailure } from '#kit/store-failure';
import type { ErrorRecord } from '#spec/data';
import type { Attempt, FlowContext, OnceOutcome } from '#spec/ports';
import type { Call } from './journal.ts';
import { never, type Replay } from './replay.ts';
import { decodeValue, encodeValue } from './stored-value.ts';

type Body = (attempt: Attempt) => Promise<unknown>;
type Result = { readonly value: string | null } | { readonly error: ErrorRecord };

/** `step` and `once`: the calls that touch the world. */
export function stepCalls(replay: Replay): Pick<FlowContext, 'step' | 'once'> {
  const { hold, journal, call, kept, busy, stored } = replay;

  const attempt = async (
    seq: number,
    name: string,
    number: number,
    run: Body,
    timeoutMs?: number,
  ): Promise<Result> => {
    const over = new AbortController();
    const signal = AbortSignal.any([replay.signal, over.signal]);
    const key = keyOf(hold.id, seq, name);
    const stillMine = async () => !replay.stopped() && (await journal.holds(hold));
    const { fence } = hold;
    const body = async () => run({ key, fence, number, signal, stillMine });
    try {
      const value = timeoutMs === undefined ? await body() : await within(timeoutMs, name, over, body);
      const text = encodeValue(value, `step '${name}'`);
      return { value: text === null ? null : journal.clean(text) };
    } catch (error) {
      return { error: toErrorRecord(error) };
    }
  };

  const put = (seq: number, name: string, end: Pick<Call, 'kind' | 'state' | 'value'>) =>
    kept(() => journal.end(hold, { seq, name, ...end }));

  return {
    step: <T>(...[name, options, run]: Parameters<FlowContext['step']>): Promise<T> =>
      call('step', name, async ({ seq, found }): Promise<T> => {
        if (found?.state === 'failed') throw new AppError((await stored(found)) as ErrorRecord);
        if (found) return (await stored(found)) as T;
        for (let number = 1; ; number++) {
          const result = await busy(async () => {
            const tried = await attempt(seq, name, number, run, options.timeoutMs);
            if ('value' in tried) await put(seq, name, { kind: 'step', state: 'done', value: tried.value });
            return tried;
          });
          if ('value' in result) return decodeValue(result.value) as T;
          // Told to stop, it did not fail: whoever runs the flow next tries again.
          if (replay.signal.aborted) return never();
          const { error } = result;
          // Neither did it fail when there was no room to write down what it did: it is tried again when there is.
          if (isOwnStoreFailure(error)) {
            replay.stop({ kind: 'broken', error: new AppError(error) });
            return never();
          }
          if (number > (options.retries ?? 0) || !mayRetry(error)) {
            await put(seq, name, { kind: 'step', state: 'failed', value: JSON.stringify(error) });
            throw new AppError(error);
          }
          if (!(await sleep(error.retry.afterMs ?? backoffMs(number, Math.random), replay.signal)))
            return never();
        }
      }),

    once: <T>(...[name, run, options]: Parameters<FlowContext['once']>): Promise<OnceOutcome<T>> =>
      call('once', name, async ({ seq, found }): Promise<OnceOutcome<T>> => {
        const key = keyOf(hold.id, seq, name);
        const uncertain = (begunAt: number, because: 'lost' | ErrorRecord) =>
          ({ status: 'uncertain', key, begunAt, because }) as const;
        if (found?.state === 'done') return { status: 'done', value: (await stored(found)) as T };
        if (found?.state === 'uncertain') {
          return uncertain(found.begun_at, (await stored(found)) as 'lost' | ErrorRecord);
        }
        if (found) {
          await put(seq, name, { kind: 'once', state: 'uncertain', value: JSON.stringify('lost') });
          return uncertain(found.begun_at, 'lost');
        }
        return busy(async () => {
          const begunAt = await kept(() => journal.begin(hold, { seq, kind: 'once', name }));
          const result = await attempt(seq, name, 1, run, options?.timeoutMs);
          if ('error' in result) {
            await put(seq, name, { kind: 'once', state: 'uncertain', value: JSON.stringify(result.error) });
            return uncertain(begunAt, result.error);
          }
          await put(seq, name, { kind: 'once', state: 'done', value: result.value });
          return { status: 'done', value: decodeValue(result.value) as T };
        });
      }),
  };
}

/** Bounded and free of odd characters, since it is handed to strangers. */
function keyOf(id: string, seq: number, name: string): string {
  const hash = createHash('sha256').update(JSON.stringify([id, seq, name]));
  return hash.digest('hex').slice(0, 40);
}

/** An error that nobody has judged may pass; one of ours says itself whether it can. */
const mayRetry = (error: ErrorRecord): boolean => error.code === 'internal' || error.retry.again;

async function within<T>(
  ms: number,
  name: string,
  over: AbortController,
  body: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const late = sleep(ms, ended.signal).then((slept) => {
    if (!slept) return never<T>();
    over.abort();
    const message = `Step '${name}' took longer than ${ms} ms`;
    throw new AppError({ code: 'tool.failed', message, retry: { again: true } });
  });
  try {
    return await Promise.race([body(), late]);
  } finally {
    ended.abort();
  }
}

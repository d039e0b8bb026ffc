import { fail } from '#kit/app-error';
import type { FlowContext } from '#spec/ports';
import type { Wait, WaitEnd } from './journal.ts';
import type { Replay } from './replay.ts';

/** `waitFor` and `sleep`. When nothing but waits is left, the flow is put away and this run is over. */
export function waitCalls(replay: Replay, idle: () => boolean) {
  const { hold, journal, call, kept, busy, stored } = replay;
  const pending = new Map<number, { readonly wait: Wait; readonly end: (end: WaitEnd) => void }>();
  let considering = false;

  const begin = (
    kind: 'wait' | 'sleep',
    name: string,
    names: readonly string[],
    ms: number,
  ): Promise<WaitEnd> =>
    call(kind, name, async ({ seq, found }) => {
      if (found?.state === 'done') return (await stored(found)) as WaitEnd;
      if (!Number.isFinite(ms) || ms < 0) throw fail('input.invalid', `'${name}' cannot wait for ${ms} ms`);
      const wait = { seq, names, dueAt: found?.due_at ?? replay.now() + ms };
      if (!found) {
        const end = await busy(() => kept(() => journal.wait(hold, { kind, name }, wait)));
        if (end) return end;
      }
      return new Promise((end) => {
        pending.set(seq, { wait, end });
        reconsider();
      });
    });

  /** Not at once: the flow may be about to make further calls. */
  function reconsider(): void {
    if (considering || pending.size === 0) return;
    considering = true;
    setImmediate(() => {
      considering = false;
      if (idle() && !replay.closing() && !replay.stopped()) void park();
    });
  }

  async function park(): Promise<void> {
    const waits = [...pending.values()].map(({ wait }) => wait);
    const ends = await kept(() => journal.park(hold, waits));
    if (ends.length === 0) return replay.stop({ kind: 'parked' });
    for (const end of ends) {
      pending.get(end.seq)?.end(end);
      pending.delete(end.seq);
    }
    reconsider();
  }

  return {
    reconsider,
    waitFor: async (...[names, { timeoutMs }]: Parameters<FlowContext['waitFor']>) => {
      const list = typeof names === 'string' ? [names] : names;
      return (await begin('wait', list.join('|'), list, timeoutMs)).signal;
    },
    sleep: async (name: string, ms: number) => {
      await begin('sleep', name, [], ms);
    },
  };
}

import type { Probed, Reach } from '#spec/data';
import { hintOf, messageOf, toErrorRecord } from './app-error.ts';
import { sleep } from './sleep.ts';
import { tell, type Text } from './text.ts';
import { waited } from './waited.ts';

/** Something whose reach is kept. */
export interface Reachable {
  /** Unique in a book. */
  readonly id: string;
  /** What it lacks. Then it is not asked. */
  readonly missing?: { readonly what: Text | string; readonly fix: Text | string } | undefined;
  readonly probe?: ((signal: AbortSignal) => Promise<Probed>) | undefined;
  /** How long an answer is believed, in milliseconds; half a minute unless said otherwise. */
  readonly everyMs?: number;
}

export interface ReachBook {
  /** What is known of each, in their order. Asks nobody. */
  all(): readonly { readonly id: string; readonly reach: Reach }[];
  reach(id: string): Reach | undefined;
  /** Asks one now, at most once at a time, and gives what is known of it then. Never rejects. */
  ask(id: string): Promise<Reach>;
  /** Asks all of them now, side by side. */
  askAll(): Promise<void>;
  /** Asks each again and again until the signal aborts, none at the same moment as the others. */
  watch(signal: AbortSignal): Promise<void>;
}

interface ReachBookOptions {
  readonly now: () => number;
  readonly random?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<boolean>;
  /** Whoever has not answered by then has failed. */
  readonly limitMs?: number;
  /** Told when something was reached that was not, or the other way round. */
  readonly onTurn?: (id: string, before: Reach, after: Reach) => void;
}

const PROBE_LIMIT_MS = 2_000;
const EVERY_MS = 30_000;
/** How far the time between two questions wanders, as a part of it. */
const JITTER = 0.2;

/**
 * Keeps who could be reached and since when who could not. `since` of a failing one is when it first failed after it was
 * last reached, however often it was asked since then.
 */
export function reachBook(things: readonly Reachable[], options: ReachBookOptions): ReachBook {
  const { now, random = Math.random, wait = sleep, limitMs = PROBE_LIMIT_MS, onTurn } = options;
  const known = new Map(things.map((thing) => [thing.id, firstReach(thing)]));
  const asking = new Map<string, Promise<Reach>>();
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const iso = (): string => new Date(now()).toISOString();
  const at = (id: string): Reach => known.get(id) ?? { state: 'waiting' };

  const settle = (id: string, next: Reach): Reach => {
    const before = at(id);
    known.set(id, next);
    if (before.state !== next.state) onTurn?.(id, before, next);
    return next;
  };
  const askOne = async ({ id, probe }: Reachable): Promise<Reach> => {
    if (!probe) return at(id);
    const answer = await inTime(probe, limitMs);
    if ('state' in answer) return settle(id, answer.state === 'reached' ? { ...answer, at: iso() } : answer);
    const before = at(id);
    const since = before.state === 'failing' ? before.since : iso();
    return settle(id, { state: 'failing', since, at: iso(), ...answer });
  };
  const ask = (id: string): Promise<Reach> => {
    const thing = byId.get(id);
    if (!thing) return Promise.resolve(at(id));
    const running = asking.get(id) ?? askOne(thing).finally(() => asking.delete(id));
    asking.set(id, running);
    return running;
  };

  return {
    all: () => things.map(({ id }) => ({ id, reach: at(id) })),
    reach: (id) => known.get(id),
    ask,
    askAll: async () => void (await Promise.all(things.map(({ id }) => ask(id)))),
    watch: async (signal) => {
      const left = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      const keepAsking = async ({ id, everyMs = EVERY_MS }: Reachable): Promise<void> => {
        // Whoever leaves does not wait for an answer.
        do await Promise.race([ask(id), left]);
        while (await wait(Math.round(everyMs * (1 + (random() * 2 - 1) * JITTER)), signal));
      };
      await Promise.all(things.filter(({ probe }) => probe).map(keepAsking));
    },
  };
}

function firstReach({ missing, probe }: Reachable): Reach {
  if (missing) return { state: 'not_set_up', because: missing.what, fix: missing.fix };
  return probe
    ? { state: 'waiting' }
    : { state: 'not_probed', because: tell('There is nothing to ask it.', '没有可探测的内容。') };
}

/** The answer, or why there is none. A probe that does not heed its signal is left behind. */
async function inTime(
  probe: NonNullable<Reachable['probe']>,
  limitMs: number,
): Promise<Probed | { because: Text; fix?: Text }> {
  const stop = new AbortController();
  const answered = new AbortController();
  const late = waited(limitMs, answered.signal).then(() => {
    stop.abort();
    return {
      because: tell(`It did not answer within ${limitMs / 1_000} s.`, `${limitMs / 1_000} 秒内没有应答。`),
    };
  });
  const asked = (async () => probe(stop.signal))().catch((thrown: unknown) => {
    const record = toErrorRecord(thrown);
    const fix = hintOf(record);
    return { because: messageOf(record), ...(fix ? { fix } : {}) };
  });
  return Promise.race([late, asked]).finally(() => answered.abort());
}

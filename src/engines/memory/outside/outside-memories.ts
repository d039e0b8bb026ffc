import { toErrorRecord } from '#kit/app-error';
import { redact } from '#kit/redact';
import type { MemoryProvider } from '#spec/ports';
import type { MemoryNotice } from '../notice.ts';
import { scanMemory } from '../scan/scan-memory.ts';
import type { MemoryView } from '../scopes.ts';

/** A line that an outside service remembers. */
export interface OutsideLine {
  readonly provider: string;
  readonly text: string;
  readonly at?: number;
}

interface OutsideTurn {
  readonly session: string;
  readonly said: string;
  readonly answered: string;
  readonly at: number;
}

/** The outside services together. Nothing here throws: they are a help, never a need. */
export interface OutsideMemories {
  recall(
    query: string,
    view: MemoryView,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly OutsideLine[]>;
  observe(turn: OutsideTurn, view: MemoryView, signal: AbortSignal): Promise<void>;
  /** Tells for each service what went wrong; nothing for one that has forgotten. */
  forget(view: MemoryView, signal: AbortSignal): Promise<readonly { provider: string; error?: string }[]>;
}

/** No turn waits longer for them. */
const RECALL_MS = 1_500;
/** What happens after a turn may take longer. */
const OBSERVE_MS = 15_000;
/** One that failed is left alone for so long, doubling up to ten minutes. */
const PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

interface Health {
  failures: number;
  until: number;
  told: boolean;
}

export function outsideMemories({
  providers,
  now,
  tell,
}: {
  readonly providers: readonly MemoryProvider[];
  readonly now: () => number;
  readonly tell?: (notice: MemoryNotice) => void;
}): OutsideMemories {
  const health = new Map<string, Health>();
  const healthOf = (name: string): Health => {
    const known = health.get(name) ?? { failures: 0, until: Number.NEGATIVE_INFINITY, told: false };
    health.set(name, known);
    return known;
  };

  /** Runs a call within its time; a failure pauses the provider and is told until it works again. */
  const ask = async <T>(
    { name }: MemoryProvider,
    ms: number,
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    const state = healthOf(name);
    if (signal.aborted || now() < state.until) return undefined;
    try {
      const result = await within(ms, signal, call);
      Object.assign(state, { failures: 0, told: false });
      return result;
    } catch (thrown) {
      if (signal.aborted) return undefined;
      state.until = now() + Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** state.failures);
      state.failures += 1;
      if (!state.told)
        tell?.({ kind: 'provider_failed', provider: name, why: toErrorRecord(thrown).message });
      state.told = true;
      return undefined;
    }
  };

  return {
    recall: async (query, { audience, shared }, limit, signal) => {
      // What they know is of a person; a group is not told of it, and they are not told of the group.
      if (shared) return [];
      const found = await Promise.all(
        providers.map(async (provider) => {
          const lines = await ask(provider, RECALL_MS, signal, (inner) =>
            provider.recall(redact(query), audience, limit, inner),
          );
          return (lines ?? [])
            .map(({ text, at }) => ({
              provider: provider.name,
              text: text.trim(),
              ...(at === undefined ? {} : { at }),
            }))
            .filter(({ text }) => text && !scanMemory(text).refused)
            .slice(0, limit);
        }),
      );
      return found.flat();
    },
    observe: async (turn, { audience, shared }, signal) => {
      if (shared || mustStay(turn)) return;
      const sent = { ...turn, said: redact(turn.said), answered: redact(turn.answered) };
      await Promise.all(
        providers.map((provider) =>
          ask(provider, OBSERVE_MS, signal, (inner) => provider.observe(sent, audience, inner)),
        ),
      );
    },
    forget: ({ audience }, signal) =>
      Promise.all(
        providers.map(async (provider) => {
          try {
            await within(OBSERVE_MS, signal, (inner) => provider.forget(audience, inner));
            return { provider: provider.name };
          } catch (thrown) {
            return { provider: provider.name, error: toErrorRecord(thrown).message };
          }
        }),
      ),
  };
}

/** A turn with secrets or data of customers in it stays in the house. */
const mustStay = ({ said, answered }: OutsideTurn): boolean =>
  [said, answered].some((text) => {
    const { because } = scanMemory(text);
    return because === 'credential' || because === 'card' || because === 'identity' || because === 'people';
  });

/** Ends when the call does, the time is over or the signal aborts, whether the call listens or not. */
async function within<T>(
  ms: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return new Promise((resolve, reject) => {
    const end = () =>
      reject(new Error(signal.aborted ? 'it was given up' : `no answer within ${ms / 1000} s`));
    inner.addEventListener('abort', end, { once: true });
    call(inner)
      .then(resolve, reject)
      .finally(() => inner.removeEventListener('abort', end));
  });
}

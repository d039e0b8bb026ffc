import type { Collected, TelemetrySources } from '#spec/ports';
import type { TimeWindow } from '#spec/data';
import { fail } from '#kit/app-error';
import { askSource } from '../evidence/ask-source.ts';

const ASK_MS = 20_000;
const MOST_NAMED = 6;

interface Asked<T> {
  readonly items: readonly T[];
  readonly cut: boolean;
  /** Lines for people: which backend was asked what, and what failed. */
  readonly notes: readonly string[];
}

/** Puts one question to every backend of a kind. Fails only when none answers. */
export async function askBackends<Kind extends keyof TelemetrySources, T>(
  sources: readonly TelemetrySources[],
  kind: Kind,
  window: TimeWindow,
  ask: (source: NonNullable<TelemetrySources[Kind]>, signal: AbortSignal) => Promise<Collected<T>>,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<Asked<T>> {
  const asked = sources.flatMap((all) => {
    const source = all[kind];
    return source ? [source] : [];
  });
  if (!asked.length)
    throw fail(
      'backend.unreachable',
      `No backend for ${kind} is set up.`,
      'See backends.yaml of the profile.',
    );
  const answers = await Promise.all(
    asked.map((source) =>
      askSource(
        { source: source.name, kind, window, ms: ASK_MS, ask: (stop) => ask(source, stop) },
        now,
        signal,
      ),
    ),
  );
  signal.throwIfAborted();
  const problems = answers.flatMap(({ source, problem }) =>
    problem === undefined ? [] : [`${source}: ${problem.en}`],
  );
  if (problems.length === answers.length) throw fail('backend.unreachable', problems.join('; '));
  const queries = answers.flatMap((answer) =>
    answer.asked.filter(({ query }) => query).map(({ source, query }) => `${source}: ${query}`),
  );
  return {
    items: answers.flatMap(({ items }) => items),
    cut: answers.some((answer) => answer.cut),
    notes: [
      ...queries.slice(0, MOST_NAMED).map((text) => `asked ${text.slice(0, 300)}`),
      ...problems.map((text) => `no answer from ${text}`),
    ],
  };
}

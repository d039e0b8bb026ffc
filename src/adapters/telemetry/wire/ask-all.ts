import type { AskedQuery } from '#spec/ports';
import { AppError, messageOf } from '#kit/app-error';
import { inParallel } from './in-parallel.ts';

/** One request of several, as it will be shown. */
export interface PlannedQuery<T> {
  readonly query: string;
  readonly link?: string;
  run(): Promise<readonly T[]>;
  /** The names of the metrics in its answer, where it is about metrics. */
  namesOf?(answer: readonly T[]): readonly string[];
}

interface Answered<T> {
  readonly items: readonly T[];
  readonly asked: AskedQuery;
  readonly error?: AppError;
}

const MOST_AT_ONCE = 6;

/**
 * Asks all of them. One that fails is a problem in `asked` and an empty answer; where all fail, the first failure is
 * thrown: then the backend could not be asked at all. What is no `AppError` is thrown at once.
 */
export async function askAll<T>(
  planned: readonly PlannedQuery<T>[],
): Promise<{ answers: readonly (readonly T[])[]; asked: readonly AskedQuery[] }> {
  const answered = await inParallel(
    MOST_AT_ONCE,
    planned.map((one) => () => ask(one)),
  );
  const [first] = answered;
  if (first?.error && answered.every(({ error }) => error)) throw first.error;
  return { answers: answered.map(({ items }) => items), asked: answered.map(({ asked }) => asked) };
}

async function ask<T>({ query, link, run, namesOf }: PlannedQuery<T>): Promise<Answered<T>> {
  const began = performance.now();
  const shown = (found: number, more: Partial<AskedQuery> = {}): AskedQuery => ({
    query,
    ...(link === undefined ? {} : { link }),
    found,
    ms: Math.round(performance.now() - began),
    ...more,
  });
  try {
    const items = await run();
    return { items, asked: shown(items.length, namesOf ? { gives: namesOf(items) } : {}) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { items: [], asked: shown(0, { problem: messageOf(error.record) }), error };
  }
}

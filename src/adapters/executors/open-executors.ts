import { type ListedKind, openKinds } from '#adapters/io/open-kinds';
import type { Executor, ExecutorKind, ExecutorPlace } from '#spec/ports';
import { kinds } from './kinds.gen.ts';

export interface OpenExecutors {
  readonly executors: readonly Executor[];
  readonly listed: readonly ListedKind[];
}

/** The types that `executors:` of `backends.yaml` can list. */
export const executorKinds: readonly string[] = Object.keys(kinds);

/** Opens what `executors:` of `backends.yaml` lists. */
export async function openExecutors(list: unknown, place: ExecutorPlace): Promise<OpenExecutors> {
  const manifest = kinds as unknown as Readonly<Record<string, () => Promise<ExecutorKind>>>;
  const executors: Executor[] = [];
  const named = { list, what: 'executors', manifest };
  const listed = await openKinds(named, place, (one: Executor) => executors.push(one));
  return { executors, listed };
}

/** Runs tasks with at most `most` of them at a time; results stand in the order of the tasks. The first failure ends it. */
export async function inParallel<T>(most: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results = new Map<number, T>();
  const queue = tasks.entries();
  const work = async () => {
    for (const [at, task] of queue) results.set(at, await task());
  };
  await Promise.all(Array.from({ length: Math.min(most, tasks.length) }, work));
  return tasks.map((_, at) => results.get(at) as T);
}

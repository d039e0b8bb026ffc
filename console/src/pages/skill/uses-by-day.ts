import type { UseRow } from '#spec/api';

export interface UseDay {
  /** The beginning of the day where the reader is, in Unix seconds. */
  readonly time: number;
  readonly good: number;
  readonly bad: number;
  /** Mean of the uses of the day. */
  readonly calls: number;
}

const startOfDay = (at: number): number => {
  const day = new Date(at);
  return Math.floor(new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime() / 1000);
};

/** Uses by days, oldest first. Days without a use are left out: a rate of nothing is no rate. */
export function usesByDay(uses: readonly Pick<UseRow, 'at' | 'success' | 'calls'>[]): readonly UseDay[] {
  const days = Map.groupBy(uses, ({ at }) => startOfDay(at));
  return [...days]
    .map(([time, each]) => {
      const good = each.filter(({ success }) => success).length;
      const calls = each.reduce((sum, use) => sum + use.calls, 0) / each.length;
      return { time, good, bad: each.length - good, calls };
    })
    .toSorted((one, other) => one.time - other.time);
}

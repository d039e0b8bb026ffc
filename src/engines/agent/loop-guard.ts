/** Told about each call and what came back; tells when a turn goes round in circles. */
export interface LoopGuard {
  /** `warn`: say so to the model. `stop`: let it close without tools. */
  readonly see: (name: string, args: string, result: string) => 'fine' | 'warn' | 'stop';
}

const WARN_AT = 3;
const STOP_AT = 6;

/** The same call with the same result, over and over, is a circle, also when other calls stand in between. */
export function loopGuard(): LoopGuard {
  const seen = new Map<string, number>();
  return {
    see: (name, args, result) => {
      const key = JSON.stringify([name, args, result]);
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      if (times >= STOP_AT) return 'stop';
      return times >= WARN_AT ? 'warn' : 'fine';
    },
  };
}

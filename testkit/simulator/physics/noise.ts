import type { Random } from '../random.ts';

/** The next value, so many seconds later. */
export type Noise = (seconds: number) => number;

/** Noise that remembers itself: standard normal at any instant, and like itself within `memory` seconds. */
export function openNoise(random: Random | undefined, memory: number): Noise {
  if (!random) return () => 0;
  let value = random.normal();
  let [gap, kept, fresh] = [-1, 0, 1];
  return (seconds) => {
    if (seconds !== gap) {
      gap = seconds;
      kept = Math.exp(-seconds / memory);
      fresh = Math.sqrt(1 - kept * kept);
    }
    value = value * kept + fresh * random.normal();
    return value;
  };
}

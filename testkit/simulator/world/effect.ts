/** One version of a service taking over from another, step by step. */
export interface Rollout {
  readonly service: number;
  readonly before: string;
  readonly version: string;
  /** From each instant on, the share of requests that the new version serves. */
  readonly steps: readonly { readonly time: number; readonly share: number }[];
  /** The changes that record it. */
  readonly change: string;
}

/**
 * Something that happens to one place of the system from an instant on: a fault, a blip, or what an innocent neighbour
 * does. All of its amounts are reached when its level is 1.
 */
export interface Effect {
  readonly from: number;
  readonly until?: number;
  /** Seconds until it is there in full. */
  readonly ramp?: number;
  /** It is in the new version alone. */
  readonly rollout?: Rollout;
  /** It is on the pods of one node alone. */
  readonly node?: string;
  /** The share of requests that it hits, where neither version nor node says so. */
  readonly share?: number;
  readonly service?: number;
  readonly edge?: number;

  /** Of a service. More work for a request, as a multiple of its usual work. */
  readonly work?: number;
  /** Time that a request merely waits. */
  readonly waitMs?: number;
  /** The probability that a request fails. */
  readonly fails?: number;
  /** The share of failing requests that fail before they call anybody. */
  readonly early?: number;
  /** Busy without requests. */
  readonly burn?: number;
  /** The share of capacity that is gone. */
  readonly lost?: number;
  /** Of the limit: memory and disk that fill. */
  readonly memory?: number;
  readonly disk?: number;
  /** Restarts a minute. */
  readonly restarts?: number;
  /** What is let through, as a multiple of the usual load. */
  readonly quota?: number;
  /** The share of the pool of connections that is gone. */
  readonly poolCut?: number;
  /** The share of hits that a cache no longer has. */
  readonly misses?: number;
  /** The share of a queue's consumers that stand still. */
  readonly stuck?: number;

  /** Of an edge. */
  readonly delayMs?: number;
  readonly edgeFails?: number;
  /** Calls for each request, as a multiple of the usual. */
  readonly calls?: number;
  /** Patience of the caller, as a multiple of the usual. */
  readonly patience?: number;

  /** More requests from outside, as a multiple. */
  readonly load?: number;
}

export function rolledShare({ steps }: Rollout, time: number): number {
  let share = 0;
  for (const step of steps) if (time >= step.time) share = step.share;
  return share;
}

/** How far an effect is there, 0 to 1, apart from the share of requests that it hits. */
export function levelOf({ from, until, ramp = 0 }: Effect, time: number): number {
  if (time < from || (until !== undefined && time >= until)) return 0;
  return ramp > 0 ? Math.min(1, (time - from) / ramp) : 1;
}

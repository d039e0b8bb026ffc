import type { NodeName, Replica } from '../system/replicas.ts';
import type { Meter } from '../telemetry/instruments.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Span } from '../telemetry/tracer.ts';
import { Refused } from './refused.ts';
import { between, wait } from './wait.ts';

/** The processors of the machines below the replicas of a service. */
export interface Processors {
  /** Resolves when the machine has time for a request. Throws `Refused` 503 for one that it has lost meanwhile. */
  admit(replica: Replica, span: Span): Promise<void>;
  /** The share of the time since the last call in which requests of each replica stood still. */
  measure(replicas: readonly Replica[]): void;
}

const HELD_UP_MS = [250, 800] as const;
const LOST_SHARE = 0.1;

/** A machine that somebody else keeps busy has no time for us, and says so to nobody: those who wait for it do. */
export function createProcessors(
  { meter, logger }: { readonly meter: Meter; readonly logger: Logger },
  isTaken: (node: NodeName) => boolean,
): Processors {
  const stalls = new Map<string, Stall>();
  const stallOf = (pod: string): Stall => {
    const stall = stalls.get(pod) ?? createStall();
    stalls.set(pod, stall);
    return stall;
  };
  return {
    admit: async ({ pod, node }, span) => {
      if (!isTaken(node)) return;
      const waited = stallOf(pod).begin();
      await wait(between(...HELD_UP_MS));
      const ms = waited().toFixed(0);
      logger.log('warn', `${pod} stood still for ${ms} ms: no processor time on ${node}`, span);
      if (Math.random() >= LOST_SHARE) return;
      throw new Refused(503, `${pod} lost the request after ${ms} ms without processor time`, 'starved');
    },
    measure: (replicas) => {
      for (const { pod, node } of replicas) meter.measure('pressure', stallOf(pod).share(), { pod, node });
    },
  };
}

interface Stall {
  /** Somebody waits. Gives the function that ends it and tells for how many milliseconds. */
  begin(): () => number;
  /** Of the time since the last call, in which anybody waited. */
  share(): number;
}

/** As Linux counts its pressure: several who wait at the same time count once. */
function createStall(): Stall {
  let waiting = 0;
  let stalledMs = 0;
  let since = performance.now();
  let asked = since;
  const settle = (now: number): void => {
    if (waiting) stalledMs += now - since;
    since = now;
  };
  return {
    begin: () => {
      const began = performance.now();
      settle(began);
      waiting += 1;
      return () => {
        const now = performance.now();
        settle(now);
        waiting -= 1;
        return now - began;
      };
    },
    share: () => {
      const now = performance.now();
      settle(now);
      const share = stalledMs / Math.max(1, now - asked);
      stalledMs = 0;
      asked = now;
      return Math.min(1, share);
    },
  };
}

import { Refused } from './refused.ts';
import type { Logger } from '../telemetry/logger.ts';

export interface MemoryLeak {
  /** Begins to lose memory, or gives all of it back. */
  set(leaking: boolean): void;
  /** Refuses now and then when little is left. */
  admit(): void;
  close(): void;
}

const EVERY_MS = 250;
const CHUNK_BYTES = 5_000_000;
const MOST_BYTES = 150_000_000;
/** From here on the collector stops the process ever longer. */
const TIGHT_BYTES = 70_000_000;
const PAUSE_MS = 110;
const REFUSED_SHARE = 0.15;
const MB = 1_000_000;

/**
 * Keeps 20 MB more every second, up to 150 MB, and suffers as a process does whose memory runs out: long pauses, then
 * failed requests. A pause blocks the process without burning the machine's time.
 */
export function createMemoryLeak(logger: Logger, limitBytes: number): MemoryLeak {
  let kept: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  const held = (): number => kept.length * CHUNK_BYTES;
  const tick = (): void => {
    if (held() < MOST_BYTES) kept.push(Buffer.alloc(CHUNK_BYTES, 1));
    if (held() < TIGHT_BYTES) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    ticks += 1;
    if (ticks % 4 !== 0) return;
    const used = process.memoryUsage.rss();
    logger.log(
      'warn',
      `memory pressure: ${Math.round(used / MB)} MB of ${Math.round(limitBytes / MB)} MB in use, collector paused the process for ${PAUSE_MS} ms`,
    );
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    set: (leaking) => {
      if (leaking) timer ??= setInterval(tick, EVERY_MS);
      else {
        stop();
        kept = [];
      }
    },
    admit: () => {
      if (held() < MOST_BYTES || Math.random() >= REFUSED_SHARE) return;
      throw new Refused(503, 'out of memory: allocation of 8 MB failed, heap limit reached', 'out_of_memory');
    },
    close: stop,
  };
}

import type { Meter } from '../telemetry/instruments.ts';

const ROOM_BYTES = 180_000_000;
const STEP_BYTES = 16_000_000;

/** What the process may use: what it needs after the start, with room to spare. */
export const memoryLimit = (): number =>
  Math.ceil((process.memoryUsage.rss() + ROOM_BYTES) / STEP_BYTES) * STEP_BYTES;

/** Gives the function to be called every second. */
export function processGauges(meter: Meter, limitBytes: number, restarts: number): () => void {
  let before = process.cpuUsage();
  let at = performance.now();
  return () => {
    const used = process.cpuUsage(before);
    const now = performance.now();
    meter.measure('cpu', (used.user + used.system) / 1000 / Math.max(1, now - at));
    before = process.cpuUsage();
    at = now;
    meter.measure('memory', process.memoryUsage.rss());
    meter.measure('memoryLimit', limitBytes);
    meter.measure('restarts', restarts);
  };
}

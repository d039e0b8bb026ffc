import type { SandboxPlace } from '#spec/ports';
import { type ProcessEntry, residentMb } from './process-table.ts';

const INTERVAL_MS = 100;

/**
 * Looks at the processes of a command ten times a second and reports once when together they exceed the memory or the
 * number that is allowed. The second line behind the limits of the kernel, which hold for each process alone.
 */
export function watchLimits(
  now: () => readonly ProcessEntry[],
  limits: SandboxPlace['limits'],
  onExceed: () => void,
): { stop(): void } {
  const timer = setInterval(() => {
    const processes = now();
    if (processes.length <= limits.processes && residentMb(processes) <= limits.memoryMb) return;
    clearInterval(timer);
    onExceed();
  }, INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

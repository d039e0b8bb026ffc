import { readFileSync } from 'node:fs';

/** Megabytes that a process holds in memory now. */
export function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/**
 * How much of it stays, a minute: from the lowest of the first half to the lowest of the second. What lies above is what
 * has not been collected yet, and a collection of the whole heap comes about once in two minutes.
 */
export function slopePerMinute(samples: readonly { readonly ms: number; readonly mb: number }[]): number {
  const lowest = (some: typeof samples) => Math.min(...some.map(({ mb }) => mb));
  const middle = Math.floor(samples.length / 2);
  const halfMs = ((samples.at(-1)?.ms ?? 0) - (samples[0]?.ms ?? 0)) / 2;
  return ((lowest(samples.slice(middle)) - lowest(samples.slice(0, middle))) / halfMs) * 60_000;
}

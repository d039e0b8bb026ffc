import type { Formats } from '../format/formats.ts';

/** A length of time that may be short: `85 ms`, `1.52 s`, `2 min 5 s`. */
export function shownMs(ms: number, formats: Formats): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${formats.number(ms / 1_000)} s` : formats.duration(ms);
}

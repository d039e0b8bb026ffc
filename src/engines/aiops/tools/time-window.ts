import { z } from 'zod';
import type { TimeWindow } from '#spec/data';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN = /^(\d{1,4})\s*([smhd])$/;

/** `15m` as milliseconds. */
export function spanMs(text: string): number {
  const [, count = '0', unit = 'm'] = SPAN.exec(text) ?? [];
  return Number(count) * (UNIT_MS[unit] ?? 0);
}

/** A length of time such as `15m`, up to `longest`. */
export const spanInput = (usual: string, longest: string) =>
  z
    .string()
    .refine((text) => SPAN.test(text) && spanMs(text) > 0, 'a length such as 15m, 2h or 1d')
    .refine((text) => spanMs(text) <= spanMs(longest), `at most ${longest}`)
    .default(usual);

export const windowBefore = (now: number, ms: number): TimeWindow => ({
  start: new Date(now - ms).toISOString(),
  end: new Date(now).toISOString(),
});

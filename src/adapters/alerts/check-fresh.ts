import { fail } from '#kit/app-error';

const TOLERANCE_MS = 5 * 60_000;

/** Throws for a signed time, in unix seconds, that is too far from now: the request may have been kept and sent again. */
export function checkFresh(seconds: string, now: number): void {
  const at = /^\d{9,11}$/.test(seconds) ? Number(seconds) * 1000 : Number.NaN;
  if (Math.abs(now - at) <= TOLERANCE_MS) return;
  throw fail(
    'input.unauthorized',
    'The time of the request is more than five minutes away from the time here.',
    'If it is a new one, set the clock of this machine.',
  );
}

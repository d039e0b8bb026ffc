import { AppError } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import { statusOf } from './cloud-failure.ts';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;

/**
 * Asks again after a refusal that may pass: 429 always, since nothing was done; no answer and 5xx only where asking
 * twice does no harm.
 */
export async function repeat<T>(
  ask: () => Promise<T>,
  options: { readonly harmless: boolean; readonly signal: AbortSignal },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (thrown) {
      if (attempt === ATTEMPTS || !mayPass(thrown, options.harmless)) throw thrown;
      const told = thrown instanceof AppError ? thrown.record.retry.afterMs : undefined;
      const wait = told ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      if (wait > LONGEST_WAIT_MS || !(await sleep(wait, options.signal))) throw thrown;
    }
  }
}

function mayPass(thrown: unknown, harmless: boolean): boolean {
  if (!(thrown instanceof AppError) || !thrown.record.retry.again) return false;
  return harmless || statusOf(thrown) === 429;
}

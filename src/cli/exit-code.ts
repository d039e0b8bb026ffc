import { isStoreFailure } from '#kit/store-failure';
import type { ErrorCode } from '#spec/data';

/** What the command's exit status means. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  denied: 4,
  needsModel: 5,
  unavailable: 6,
  aborted: 130,
} as const;

const MISTAKES = /^(?:config|profile|input)\./;

/** What a script may want to tell apart: a mistake that the user can mend, a no, a missing model, a disk, the rest. */
export function exitCodeOf(code: ErrorCode): number {
  if (code === 'tool.refused' || code === 'input.forbidden' || code === 'input.unauthorized')
    return EXIT.denied;
  if (code === 'model.unconfigured') return EXIT.needsModel;
  if (isStoreFailure(code)) return EXIT.unavailable;
  return MISTAKES.test(code) ? EXIT.usage : EXIT.failed;
}

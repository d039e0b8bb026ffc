import type { ErrorCode } from '#spec/data';

/** What the command's exit status means. */
export const EXIT = { ok: 0, failed: 1, usage: 2, notRunning: 3, aborted: 130 } as const;

const MISTAKES = /^(config|profile|input)\.|^model\.unconfigured$/;

/** A mistake that the user can mend is told apart from a failure of the world. */
export const exitCodeOf = (code: ErrorCode): number => (MISTAKES.test(code) ? EXIT.usage : EXIT.failed);

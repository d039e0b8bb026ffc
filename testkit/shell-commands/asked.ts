import { ASKED_PROGRAMS } from './asked-programs.ts';
import { ASKED_EVASIONS } from './evasions.ts';
import { ASKED_TRICKS } from './asked-tricks.ts';

/** Commands that must at least be asked about. */
export const ASKED: Readonly<Record<string, readonly string[]>> = {
  ...ASKED_TRICKS,
  ...ASKED_PROGRAMS,
  ...ASKED_EVASIONS,
};

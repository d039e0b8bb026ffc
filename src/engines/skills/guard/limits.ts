/** A folder beyond these cannot be judged in full, and what is not judged does not come in. */
export const MOST_FILES = 50;
export const MOST_BYTES = 1024 * 1024;
export const MOST_FILE_BYTES = 256 * 1024;
/** A shell cannot be given more in one piece, and the judge of commands reads no more. */
export const MOST_SCRIPT = 100_000;
export const MOST_FINDINGS = 100;
/** A rule that fires on every line says no more than one that fires three times. */
export const MOST_A_RULE = 3;
export const MOST_SHOWN = 160;

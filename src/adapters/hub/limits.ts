/** What is brought at once: a repository of skills, not of everything. */
export const MOST_ENTRIES = 5_000;
export const MOST_UNPACKED = 32 * 1024 * 1024;
export const MOST_DOWNLOAD = 16 * 1024 * 1024;
/** Text shrinks to a tenth; a thousandth of its size is a bomb. */
export const MOST_RATIO = 200;
/** Below this a ratio says nothing. */
export const RATIO_FROM = 1024 * 1024;
export const MOST_INDEX = 4 * 1024 * 1024;
export const FETCH_MS = 120_000;

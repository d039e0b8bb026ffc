/** A bundle is one incident. What is larger was exported by mistake, or to do harm. */
export const MOST_FILE_BYTES = 256 * 1024 * 1024;
/** Unpacked. Text of this size still fits into one string. */
export const MOST_TEXT_BYTES = 480 * 1024 * 1024;
export const MOST_ROWS = 5_000_000;
export const MOST_INCLUDES = 64;

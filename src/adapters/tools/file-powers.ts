import type { Files } from '#spec/ports';

/**
 * What a place may offer beyond the port. A tool asks with `withPowers` and does without what is missing:
 * it reads small files whole, and does not delete.
 */
export interface FilePowers {
  /** At most `length` bytes from `start`; fewer only at the end. */
  readonly readPart: (path: string, start: number, length: number) => Promise<Uint8Array>;
  /** The names in a folder, sorted; folders end in a slash. */
  readonly list: (path: string) => Promise<readonly string[]>;
  /** Like `write`, but only while the file holds `expected` (`undefined`: while there is none). */
  readonly replace: (path: string, expected: Uint8Array | undefined, bytes: Uint8Array) => Promise<void>;
  /** Deletes the file, but only while it holds `expected`. */
  readonly remove: (path: string, expected: Uint8Array) => Promise<void>;
}

export const withPowers = (files: Files): Files & Partial<FilePowers> => files;

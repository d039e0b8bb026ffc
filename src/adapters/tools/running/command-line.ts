/** Characters that no shell reads as anything but themselves, wherever they stand. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** Words as one line that a POSIX shell reads as exactly these words. None may hold a NUL. */
export const commandLine = (words: readonly string[]): string => words.map(quoted).join(' ');

const quoted = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

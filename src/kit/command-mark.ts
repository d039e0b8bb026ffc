import { randomInt } from 'node:crypto';

/**
 * The mark of what Hermes starts: a hard limit on file locks. Linux has not enforced that limit for two decades, so it
 * changes nothing, and hands it on to every child, through new sessions, cleared environments and other programs. Only
 * who holds CAP_SYS_RESOURCE on the machine itself can take it off; anybody may lower it, and then it is still there. Its
 * number says which command a process comes from.
 */
export const newMark = (): number => randomInt(2 ** 40, 2 ** 47);

/** The line of a script that puts the mark on its shell. Where the system knows no such limit, nothing happens. */
export const markLine = (mark: number): string =>
  `{ ulimit -x ${mark} || ulimit -w ${mark}; } 2>/dev/null || :`;

/** A command line that starts with the mark on it. For programs that are started without a shell. */
export const markedWords = (mark: number, words: readonly string[]): readonly [string, string[]] => [
  '/bin/sh',
  // A shell adds variables of its own to what it was given.
  ['-c', `${markLine(mark)}; unset PWD OLDPWD SHLVL; exec "$@"`, 'sh', ...words],
];

/** The mark in what `/proc/<pid>/limits` says of a process. */
export function markIn(limits: string): number | undefined {
  const hard = /^Max file locks +\S+ +(\S+)/m.exec(limits)?.[1];
  return hard === undefined || hard === 'unlimited' ? undefined : Number(hard);
}

/** The variable that a command is started with; a second sign, which can be taken off. */
export const MARK_VARIABLE = 'HERMES_COMMAND';

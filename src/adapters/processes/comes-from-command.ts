import { MARK_VARIABLE, markIn } from '#kit/command-mark';
import { readProc, statOf } from '#adapters/io/read-proc';

const PARENT = 1;
/** Deeper than any chain of processes that people make. */
const DEEPEST = 1_000;

/**
 * Whether a process is one that Hermes started for a command, a server or a hook, or descends from one. The mark that
 * the kernel keeps is the answer; the variable, of the process and of those above it, counts where there is no mark.
 */
export function comesFromCommand(pid: number): boolean {
  let at = pid;
  for (let depth = 0; at > 1 && depth < DEEPEST; depth++) {
    if (markIn(readProc(`${at}/limits`) ?? '') !== undefined || carriesVariable(at)) return true;
    at = Number(statOf(at)?.[PARENT] ?? 0);
  }
  return pid === process.pid && process.env[MARK_VARIABLE] !== undefined;
}

const carriesVariable = (pid: number): boolean =>
  (readProc(`${pid}/environ`) ?? '').split('\0').some((entry) => entry.startsWith(`${MARK_VARIABLE}=`));

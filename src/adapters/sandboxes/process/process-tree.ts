import { setTimeout as delay } from 'node:timers/promises';
import { bears, carries, descendants, type ProcessEntry, processTable } from './process-table.ts';

/**
 * The processes that come from one, found by descent, group, session, a variable and a mark that all of them inherit,
 * and memory of who was among them before: a process that leaves by one way is still found by another.
 */
export interface ProcessTree {
  /** Those that live and can be found cheaply: all but who left every way at once since the last look. */
  now(): ProcessEntry[];
  /** Resolves when none of them lives. */
  kill(): Promise<void>;
}

const ROUNDS = 200;
const ROUND_MS = 10;

export function processTree(
  root: number,
  { variable, mark }: { readonly variable: string; readonly mark?: number },
): ProcessTree {
  const known = new Map<number, string>();
  const find = (thorough: boolean) => {
    const table = processTable();
    const below = new Set(descendants(table, root).map(({ pid }) => pid));
    for (const { pid, startedAt } of table) {
      if (known.get(pid) === startedAt) for (const child of descendants(table, pid)) below.add(child.pid);
    }
    const ours = table.filter(
      (entry) =>
        !entry.dead &&
        entry.pid !== process.pid &&
        (below.has(entry.pid) ||
          entry.group === root ||
          entry.session === root ||
          (thorough && ((mark !== undefined && bears(entry.pid, mark)) || carries(entry.pid, variable)))),
    );
    for (const { pid, startedAt } of ours) known.set(pid, startedAt);
    return ours;
  };
  return {
    now: () => find(false),
    async kill() {
      // Where there is no table, the group is all that can be found.
      if (processTable().length === 0) killProcess(-root);
      for (let round = 0; round < ROUNDS; round++) {
        const left = find(true);
        if (left.length === 0) return;
        for (const { pid } of left) killProcess(pid);
        await delay(ROUND_MS);
      }
    },
  };
}

/** One that is gone already is as good as killed. */
export function killProcess(pid: number, signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw thrown;
  }
}

import { closeSync, openSync } from 'node:fs';
import { statOf } from '#adapters/io/read-proc';

const TERMINAL = 4;

/**
 * Whether a process has a controlling terminal: jobs of a schedule, services and what left its session have none. Without
 * `/proc`, only this process can be asked about.
 */
export function hasTerminal(pid: number): boolean {
  const stat = statOf(pid);
  if (stat) return Number(stat[TERMINAL]) !== 0;
  if (pid !== process.pid) return false;
  if (process.platform === 'win32') return process.stdin.isTTY;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    // The system says so by refusing it.
    return false;
  }
}

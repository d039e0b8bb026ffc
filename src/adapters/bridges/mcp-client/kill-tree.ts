import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Signals a process, its group and everything that descends from it, also what left the group. The process must lead
 * its own group (`detached`). Who descends from it can be read beforehand: an orphan no longer tells whose child it was.
 */
export function killTree(pid: number, signal: 'SIGTERM' | 'SIGKILL', family = descendants(pid)): void {
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => undefined);
    return;
  }
  send(-pid, signal);
  for (const member of family) send(member, signal);
}

function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // It has ended already, or its number belongs to somebody else by now.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Everything that a process has started, as far as it still runs. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const [child, parent] of processTable())
    children.set(parent, [...(children.get(parent) ?? []), child]);
  const found: number[] = [];
  for (const open = [pid]; open.length > 0; ) {
    const next = children.get(open.pop() ?? 0) ?? [];
    found.push(...next);
    open.push(...next);
  }
  return found;
}

/** Pairs of process and parent, where the system shows them. */
function processTable(): [number, number][] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name): [number, number][] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name of the program stands in brackets and may hold anything.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [[Number(name), parent]];
    } catch {
      // Gone between the listing and the reading.
      return [];
    }
  });
}

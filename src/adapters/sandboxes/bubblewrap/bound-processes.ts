import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The launcher, two `bwrap`s and the relay are counted as well. */
const OWN_PROCESSES = 6;
const PREFIX = 'hermes-';
/** Where the controller of process counts is: of its own, or in the one hierarchy. */
const CONTROLLERS = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];
let made = 0;

/**
 * Has the kernel bound how many processes come from this one. `ulimit -u` does not hold for what runs as root, and a fork
 * bomb is faster than any watcher. Undefined where this machine lets us make no control group.
 */
export function boundProcesses(pid: number | undefined, most: number): { release(): void } | undefined {
  if (pid === undefined) return undefined;
  if (made === 0) CONTROLLERS.forEach(removeLeft);
  const name = `${PREFIX}${process.pid}-${made++}`;
  for (const controller of CONTROLLERS) {
    const group = join(controller, name);
    const release = () => void allowed(() => rmdirSync(group));
    if (!allowed(() => mkdirSync(group))) continue;
    // Without the controller there would be no such file, and none can be made there.
    const bound = allowed(() => {
      writeFileSync(join(group, 'pids.max'), String(most + OWN_PROCESSES));
      writeFileSync(join(group, 'cgroup.procs'), String(pid));
    });
    if (bound) return { release };
    release();
  }
  return undefined;
}

/** The groups of processes that were killed. */
function removeLeft(controller: string): void {
  if (!existsSync(controller)) return;
  for (const name of readdirSync(controller)) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (owner > 0 && !existsSync(`/proc/${owner}`)) allowed(() => rmdirSync(join(controller, name)));
  }
}

/** Whether the machine let us. */
function allowed(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false;
    throw error;
  }
}

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { newId } from '#kit/new-id';
import { processIsGone } from '#adapters/io/process-is-gone';

/**
 * Names this process among those that share a file of flows. It tells where process numbers mean the same (`space`)
 * and when the process began, so that a number which was given out again is not taken for the old process.
 */
export function newHolder(): string {
  return [newId('holder'), SPACE, process.pid, startOf(process.pid) ?? ''].join(' ');
}

/** True only when the process that has this name certainly runs no more. */
export function holderIsGone(holder: string): boolean {
  const [, space, pid, start] = holder.split(' ');
  if (space !== SPACE || !pid) return false;
  if (processIsGone(Number(pid))) return true;
  const seen = startOf(Number(pid));
  return Boolean(start) && seen !== undefined && seen !== start;
}

const SPACE = spaceOf();

/** One running kernel and one namespace of process numbers. Containers that share a folder do not share numbers. */
function spaceOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // No such files outside of Linux.
    return `${process.platform}/${hostname().replaceAll(' ', '_')}`;
  }
}

/** When a process began, in ticks of the kernel, or `ended`; undefined where that cannot be told. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}

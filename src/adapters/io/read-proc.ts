import { readdirSync, readFileSync } from 'node:fs';

/** A file of `/proc`. Undefined for a process that is gone, that is not ours to read, and where there is no `/proc`. */
export function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return undefined;
  }
}

/** The fields of `/proc/<pid>/stat` after the name, which stands in brackets and may hold anything. */
export function statOf(pid: number): readonly string[] | undefined {
  const stat = readProc(`${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The names in a folder of `/proc`; none where it is gone, or not ours to read. */
export function procNames(folder = ''): string[] {
  try {
    return readdirSync(`/proc/${folder}`);
  } catch {
    return [];
  }
}

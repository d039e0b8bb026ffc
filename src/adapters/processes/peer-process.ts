import { readlinkSync } from 'node:fs';
import { procNames, readProc } from '#adapters/io/read-proc';

/** Columns of a line of `/proc/net/tcp`. */
const [LOCAL, REMOTE, INODE] = [1, 2, 9];

/**
 * The process of this machine at the other end of a connection to us, by the two ports. Undefined for one of another
 * machine, and for one that is not ours to look at.
 */
export function peerProcess(theirs: number, ours: number): number | undefined {
  const inode = ['net/tcp', 'net/tcp6']
    .map((file) => inodeIn(readProc(file) ?? '', theirs, ours))
    .find(Boolean);
  if (inode === undefined) return undefined;
  const socket = `socket:[${inode}]`;
  // What was started last is asked first: it is the more likely one.
  const pids = procNames()
    .map(Number)
    .filter(Number.isInteger)
    .toSorted((one, other) => other - one);
  return pids.find((pid) => procNames(`${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket));
}

export function inodeIn(table: string, local: number, remote: number): string | undefined {
  const at = (address: string | undefined) => Number.parseInt(address?.split(':')[1] ?? '', 16);
  const lines = table.split('\n').map((line) => line.trim().split(/\s+/));
  const found = lines.find((line) => at(line[LOCAL]) === local && at(line[REMOTE]) === remote);
  const inode = found?.[INODE];
  return inode === '0' ? undefined : inode;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return undefined;
  }
}

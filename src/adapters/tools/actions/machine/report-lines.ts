import type { MachineReading } from '#spec/data';
import { procSockets } from './proc-sockets.ts';

const SIZED = /^\d+\s/;
const bySize = (a: string, b: string): number => Number.parseInt(b, 10) - Number.parseInt(a, 10);

/** The lines of a reading that matter, the largest first where they have a size. */
export function reportLines(stdout: string, read: MachineReading['read']): string[] {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  switch (read) {
    case 'largest_folders':
    case 'large_files':
      return lines.filter((line) => SIZED.test(line)).toSorted(bySize);
    case 'files_below':
      return lines.toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
    case 'waiting':
      return lines.filter((line) => line.startsWith('D'));
    case 'zombies':
      return zombies(lines);
    case 'deleted_files':
      return lines.filter((line) => / REG /.test(line)).toSorted((a, b) => sizeOfOpen(b) - sizeOfOpen(a));
    case 'open_files':
      return counted(lines.map((line) => /^\/proc\/(\d+)\/fd$/.exec(line)?.[1] ?? ''));
    case 'sockets':
      return procSockets(stdout)
        .filter(({ state }) => state === 'LISTEN')
        .map(({ local }) => `tcp LISTEN ${local}`);
    case 'connection_counts':
      return connections(stdout);
    case 'upgrades':
      return lines.filter((line) => /^Listing|\[upgradable from/.test(line));
    default:
      return lines;
  }
}

/** The seventh column of `lsof`. */
const sizeOfOpen = (line: string): number => Number(line.trim().split(/\s+/)[6]) || 0;

/** How many processes there are comes first: without it, nothing is known about zombies. */
function zombies([head = '', ...rows]: readonly string[]): string[] {
  if (!/^S\s+PID/.test(head)) return [];
  return [`processes: ${rows.length}`, head, ...rows.filter((line) => line.startsWith('Z'))];
}

function connections(stdout: string): string[] {
  const all = procSockets(stdout);
  const open = all.filter(({ state }) => state === 'ESTABLISHED');
  const remote = counted(open.map((socket) => socket.remote.replace(/:\d+$/, '')));
  const local = counted(open.map((socket) => socket.local.replace(/^.*:/, '')));
  return [
    ...counted(all.map(({ state }) => state)).map((line) => `state ${line}`),
    ...remote.slice(0, 10).map((line) => `remote ${line}`),
    ...local.slice(0, 10).map((line) => `port ${line}`),
  ];
}

/** `12 name`, the most frequent first. */
function counted(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([name, many]) => `${many} ${name}`);
}

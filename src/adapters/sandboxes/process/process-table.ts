import { procNames, readProc } from '#adapters/io/read-proc';
import { markIn } from '#kit/command-mark';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly dead: boolean;
  /** It was stopped, and goes on when it is told to. */
  readonly stopped: boolean;
  /** Ticks since boot: with the pid, it names one process for good. */
  readonly startedAt: string;
  readonly residentPages: number;
}

const PAGE_BYTES = 4096;

/** All processes of this machine, now. Empty where there is no `/proc`. */
export function processTable(): ProcessEntry[] {
  return procNames().flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readProc(`${name}/stat`);
    const entry = stat && parseStat(stat);
    return entry ? [entry] : [];
  });
}

/** Fields after the name, which stands in brackets and may hold anything. */
export function parseStat(stat: string): ProcessEntry | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const pid = Number.parseInt(stat, 10);
  if (!Number.isInteger(pid) || fields.length < 22) return undefined;
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    dead: fields[0] === 'Z' || fields[0] === 'X',
    stopped: fields[0] === 'T',
    startedAt: String(fields[19]),
    residentPages: Number(fields[21]),
  };
}

/** A process and all that descend from it, the living ones. */
export function descendants(table: readonly ProcessEntry[], root: number): ProcessEntry[] {
  const children = Map.groupBy(table, ({ parent }) => parent);
  const found = table.filter(({ pid }) => pid === root);
  for (const entry of found) found.push(...(children.get(entry.pid) ?? []));
  return found.filter(({ dead }) => !dead);
}

export const residentMb = (entries: readonly ProcessEntry[]): number =>
  entries.reduce((sum, { residentPages }) => sum + residentPages * PAGE_BYTES, 0) / 2 ** 20;

/** Whether a process was started with this variable. False where we may not look. */
export const carries = (pid: number, variable: string): boolean =>
  (readProc(`${pid}/environ`) ?? '').split('\0').includes(variable);

/** Whether a process has this mark on it. */
export const bears = (pid: number, mark: number): boolean => markIn(readProc(`${pid}/limits`) ?? '') === mark;

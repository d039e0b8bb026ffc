/** What a machine waits for. */
export const BOTTLENECKS = ['cpu', 'memory', 'io'] as const;
export type Bottleneck = (typeof BOTTLENECKS)[number];

export interface MachineWaits {
  /** What holds the machine back most; undefined where nothing does. */
  readonly by?: Bottleneck;
  /** Share of the last minute, in percent, in which work waited for it; absent where the kernel does not tell. */
  readonly shares: Readonly<Partial<Record<Bottleneck, number>>>;
  readonly load?: number;
  readonly processors?: number;
}

/**
 * From which share on it is felt: any work that waits for a processor, but only all work at once for memory or a disk, which
 * some work always waits for.
 */
const FELT: Readonly<Record<Bottleneck, { readonly line: 'some' | 'full'; readonly percent: number }>> = {
  cpu: { line: 'some', percent: 20 },
  memory: { line: 'full', percent: 2 },
  io: { line: 'full', percent: 10 },
};

/**
 * What lines of `/proc/pressure`, `/proc/loadavg` and `/sys/devices/system/cpu/online`, each behind its file, say together.
 * Undefined where they hold neither pressure nor load.
 */
export function machineWaits(lines: readonly string[]): MachineWaits | undefined {
  const of = (file: string, begins = ''): string | undefined =>
    lines.find((line) => line.startsWith(`${file}:${begins}`))?.slice(file.length + 1);
  const shares = Object.fromEntries(
    BOTTLENECKS.flatMap((name) => {
      const share = /\bavg60=([\d.]+)/.exec(of(`/proc/pressure/${name}`, FELT[name].line) ?? '')?.[1];
      return share === undefined ? [] : [[name, Number(share)] as const];
    }),
  ) as MachineWaits['shares'];
  const load = Number.parseFloat(of('/proc/loadavg') ?? '');
  const processors = countOf(of('/sys/devices/system/cpu/online') ?? '');
  const told = Object.keys(shares).length > 0;
  if (!told && Number.isNaN(load)) return undefined;
  const excess = (name: Bottleneck): number => (shares[name] ?? 0) / FELT[name].percent;
  const [most = 'cpu'] = BOTTLENECKS.toSorted((one, other) => excess(other) - excess(one));
  // Load counts what waits for a disk as well: without pressure it says of the processor what can be said.
  const by = told ? (excess(most) >= 1 ? most : undefined) : load > processors ? 'cpu' : undefined;
  return {
    ...(by === undefined ? {} : { by }),
    shares,
    ...(Number.isNaN(load) ? {} : { load }),
    ...(processors > 0 ? { processors } : {}),
  };
}

/** `0-3,5`: five. */
const countOf = (ranges: string): number =>
  ranges
    .split(',')
    .map((range) => range.split('-').map(Number))
    .reduce((sum, [from = Number.NaN, to = from]) => sum + (Number.isNaN(from) ? 0 : to - from + 1), 0);

export interface FileSystem {
  readonly filesystem: string;
  readonly mount: string;
  readonly size_kb: number;
  readonly used_kb: number;
  readonly available_kb: number;
  readonly used_percent: number;
}

const ROW = /^(\S+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)%\s+(.+)$/;

/** What `df -P -k` printed. What has no size cannot be full. */
export function fileSystems(printed: string): FileSystem[] {
  return printed.split('\n').flatMap((line) => {
    const [, filesystem = '', size, used, free, percent, mount = ''] = ROW.exec(line) ?? [];
    if (mount === '' || Number(size) === 0) return [];
    return [
      {
        filesystem,
        mount,
        size_kb: Number(size),
        used_kb: Number(used),
        available_kb: Number(free),
        used_percent: Number(percent),
      },
    ];
  });
}

/** What `df -P -i` printed, by mount: how many percent of the inodes are taken. Some file systems count none. */
export const inodeUse = (printed: string): ReadonlyMap<string, number> =>
  new Map(
    printed.split('\n').flatMap((line) => {
      const [, , total, , , percent, mount = ''] = ROW.exec(line) ?? [];
      return mount === '' || Number(total) === 0 ? [] : [[mount, Number(percent)] as const];
    }),
  );

export interface BackupFile {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly changed_at: number;
}

const NO_BACKUP = /(?:^|\/)\.|\.(?:log|tmp|part|sha256|sha512|md5|sig|asc)$/i;

/** What `find -printf '%T@ %s %p\n'` printed, newest first, without what goes along with backups. */
export function parseBackups(output: string): BackupFile[] {
  return output
    .split('\n')
    .flatMap((entry) => {
      const [, at, size, path = ''] = /^(\d+(?:\.\d+)?) (\d+) (.+)$/.exec(entry) ?? [];
      if (path === '' || NO_BACKUP.test(path)) return [];
      return [{ path, size: Number(size), changed_at: Math.round(Number(at) * 1_000) }];
    })
    .toSorted((a, b) => b.changed_at - a.changed_at);
}

/** A command that reads a backup through and writes nothing. */
export function integrityWords(path: string): readonly [string, ...string[]] | undefined {
  if (/\.(?:tar\.\w+|tgz|tbz2?|txz|tar)$/i.test(path)) return ['tar', '-tf', path];
  if (/\.gz$/i.test(path)) return ['gzip', '-t', path];
  if (/\.xz$/i.test(path)) return ['xz', '-t', path];
  if (/\.zst$/i.test(path)) return ['zstd', '-t', path];
  if (/\.bz2$/i.test(path)) return ['bzip2', '-t', path];
  return /\.zip$/i.test(path) ? ['unzip', '-tq', path] : undefined;
}

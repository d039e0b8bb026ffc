import type { MachineReading } from '#spec/data';

/** What of a unit is shown. */
const UNIT_FIELDS = 'Id LoadState ActiveState SubState Result NRestarts MainPID Description'.split(' ');

/** The program of a reading and its words. No shell takes part; what a call says is one word each. */
export function readingWords(reading: MachineReading): readonly [string, ...string[]] {
  switch (reading.read) {
    case 'load':
      return ['uptime'];
    case 'processors':
      return ['nproc'];
    case 'memory':
      return ['free', '-m'];
    case 'pressure':
      return ['grep', '-H', '.', '/proc/pressure/cpu', '/proc/pressure/memory', '/proc/pressure/io'];
    case 'activity':
      return ['vmstat', '1', '3'];
    case 'waiting':
      return ['ps', '-eo', 'state,pid,user,wchan:20,comm'];
    case 'deleted_files':
      return ['lsof', '-nP', '+L1'];
    case 'journal_size':
      return ['journalctl', '--disk-usage'];
    case 'failed_units':
      return ['systemctl', 'list-units', '--state=failed', '--plain', '--no-legend', '--no-pager'];
    case 'kernel_errors':
      return ['journalctl', '-k', '-p', 'err', '-n', '100', '--no-pager', '-o', 'short-iso'];
    case 'disks':
      return ['df', '-P', '-k', ...reading.paths];
    case 'inodes':
      return ['df', '-P', '-i', ...reading.paths];
    case 'files_below':
      return ['find', reading.path, '-maxdepth', '4', '-type', 'f', '-printf', String.raw`%T@ %s %p\n`];
    case 'largest_folders':
      return ['du', '-x', '-k', '--max-depth=2', reading.path];
    case 'large_files':
      return ['find', reading.path, '-xdev', '-type', 'f', '-size', `+${reading.large_mb}M`, ...PRINTED];
    case 'processes': {
      const order = `--sort=-${reading.by === 'cpu' ? 'pcpu' : 'rss'}`;
      return ['ps', '-eo', 'pid,ppid,pcpu,pmem,rss,etimes,user,comm', order];
    }
    case 'process':
      return ['ps', '-o', 'pid,ppid,user,lstart,args', '-p', String(reading.pid)];
    case 'process_group':
      return ['cat', `/proc/${reading.pid}/cgroup`];
    case 'listeners':
      return ['ss', '-Hltnup', ...(reading.port === undefined ? [] : ['sport', '=', `:${reading.port}`])];
    case 'connections':
      return ['ss', '-Htn', 'sport', '=', `:${reading.port}`];
    case 'unit_states':
      return [
        'systemctl',
        'show',
        '--no-pager',
        ...UNIT_FIELDS.flatMap((field) => ['-p', field]),
        ...reading.units,
      ];
    case 'journal': {
      const { unit, since, priority, lines } = reading;
      return [
        'journalctl',
        '--no-pager',
        '-o',
        'short-iso',
        '-n',
        String(lines),
        ...(unit === undefined ? [] : ['-u', unit]),
        ...(since === undefined ? [] : ['--since', since]),
        ...(priority === undefined ? [] : ['-p', priority]),
      ];
    }
  }
}

/** The same as one line that a POSIX shell reads as exactly these words. */
export const readingLine = (reading: MachineReading): string => readingWords(reading).map(quoted).join(' ');

const quoted = (word: string): string =>
  /^[\w./:@%+,-][\w./:@%+,=-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const PRINTED = ['-printf', String.raw`%k %TY-%Tm-%Td %p\n`];

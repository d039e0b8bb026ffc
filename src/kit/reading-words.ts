import type { MachineReading, PlainReading } from '#spec/data';
import { BOTTLENECKS } from './bottleneck.ts';

/** What of a unit is shown. */
const UNIT_FIELDS = 'Id LoadState ActiveState SubState Result NRestarts MainPID Description'.split(' ');

type Words = readonly [string, ...string[]];

/** What files of the system say, each line with its file. What is not there says nothing. */
const told = (...files: readonly string[]): Words => ['grep', '-sH', '.', ...files];
const numbered = (many: number, file: (at: number) => readonly string[]): string[] =>
  Array.from({ length: many }, (_, at) => file(at)).flat();
const UNITS = ['--plain', '--no-legend', '--no-pager'];

const PLAIN: Readonly<Record<PlainReading, Words>> = {
  load: ['uptime'],
  uptime: told('/proc/uptime', '/proc/loadavg'),
  boots: ['journalctl', '--list-boots', '--no-pager'],
  reboots: ['last', '-w', '-F', '-x', '-n', '20', 'reboot', 'shutdown'],
  reboot_required: told('/run/reboot-required', '/run/reboot-required.pkgs', '/proc/sys/kernel/osrelease'),
  system: told(
    '/etc/os-release',
    '/proc/sys/kernel/hostname',
    '/proc/sys/kernel/osrelease',
    '/proc/sys/kernel/version',
    '/sys/class/dmi/id/sys_vendor',
    '/sys/class/dmi/id/product_name',
  ),
  processors: ['nproc'],
  cpu: ['lscpu'],
  memory: ['free', '-m'],
  meminfo: ['cat', '/proc/meminfo'],
  swaps: ['cat', '/proc/swaps'],
  pressure: ['grep', '-H', '.', '/proc/pressure/cpu', '/proc/pressure/memory', '/proc/pressure/io'],
  bottleneck: told(
    '/proc/loadavg',
    '/sys/devices/system/cpu/online',
    ...BOTTLENECKS.map((name) => `/proc/pressure/${name}`),
  ),
  activity: ['vmstat', '1', '3'],
  waiting: ['ps', '-eo', 'state,pid,user,wchan:20,comm'],
  zombies: ['ps', '-eo', 'state,pid,ppid,user,etimes,comm'],
  open_files: ['find', '/proc', '-maxdepth', '3', '-path', '/proc/[0-9]*/fd/*', '-printf', String.raw`%h\n`],
  limits: told(
    '/proc/sys/fs/file-nr',
    '/proc/sys/fs/nr_open',
    '/proc/sys/fs/inotify/max_user_watches',
    '/proc/sys/kernel/pid_max',
    '/proc/sys/kernel/threads-max',
    '/proc/sys/vm/max_map_count',
    '/proc/sys/vm/swappiness',
    '/proc/sys/net/core/somaxconn',
    '/proc/self/limits',
  ),
  deleted_files: ['lsof', '-nP', '+L1'],
  mounts: ['cat', '/proc/mounts'],
  block_devices: ['lsblk', '-b', '-P', '-o', 'NAME,TYPE,SIZE,FSTYPE,MOUNTPOINT,RO,MODEL'],
  partitions: ['cat', '/proc/partitions'],
  date: ['date', '+%Y-%m-%d %H:%M:%S %Z %z'],
  clock: ['timedatectl', 'show'],
  time_sync: ['chronyc', '-n', 'tracking'],
  sockets: ['cat', '/proc/net/tcp', '/proc/net/tcp6'],
  connection_counts: ['cat', '/proc/net/tcp', '/proc/net/tcp6'],
  addresses: ['ip', '-brief', 'address'],
  host_addresses: ['hostname', '-I'],
  routes: ['ip', 'route', 'show'],
  interfaces: ['cat', '/proc/net/dev'],
  resolver: ['cat', '/etc/resolv.conf'],
  hosts_file: ['cat', '/etc/hosts'],
  sessions: ['who', '-H'],
  logins: ['last', '-w', '-n', '20'],
  users: ['getent', 'passwd'],
  admins: ['getent', 'group', 'sudo', 'wheel', 'admin', 'docker'],
  failed_units: ['systemctl', 'list-units', '--state=failed', ...UNITS],
  running_services: ['systemctl', 'list-units', '--type=service', '--state=running', ...UNITS],
  timers: ['systemctl', 'list-timers', '--all', '--no-pager'],
  cron_entries: [
    'grep',
    '-rsHvE',
    String.raw`^\s*(#|$)`,
    '/etc/crontab',
    '/etc/cron.d',
    '/var/spool/cron',
    '/etc/anacrontab',
  ],
  cron_scripts: [
    'find',
    ...['hourly', 'daily', 'weekly', 'monthly'].map((often) => `/etc/cron.${often}`),
    '-type',
    'f',
    '-not',
    '-name',
    '.placeholder',
    '-printf',
    String.raw`%p\n`,
  ],
  journal_size: ['journalctl', '--disk-usage'],
  kernel_errors: ['journalctl', '-k', '-p', 'err', '-n', '100', '--no-pager', '-o', 'short-iso'],
  kernel_log: ['dmesg', '--time-format', 'iso', '--level', 'emerg,alert,crit,err,warn'],
  oom_count: ['grep', '^oom_kill ', '/proc/vmstat'],
  oom_log: [
    'journalctl',
    '-k',
    '--grep',
    'out of memory|oom-kill|oom_reaper',
    '-n',
    '50',
    '--no-pager',
    '-o',
    'short-iso',
  ],
  gpus: [
    'nvidia-smi',
    '--query-gpu=name,utilization.gpu,memory.used,memory.total,temperature.gpu,driver_version',
    '--format=csv,noheader',
  ],
  // The release of the kernel is always there: without it, nothing was read.
  temperatures: told(
    '/proc/sys/kernel/osrelease',
    ...numbered(16, (at) => ['type', 'temp'].map((file) => `/sys/class/thermal/thermal_zone${at}/${file}`)),
    ...numbered(10, (at) => ['name', 'temp1_input'].map((file) => `/sys/class/hwmon/hwmon${at}/${file}`)),
  ),
  access_control: told(
    '/proc/sys/kernel/osrelease',
    '/sys/kernel/security/lsm',
    '/sys/fs/selinux/enforce',
    '/sys/module/apparmor/parameters/enabled',
    '/sys/kernel/security/apparmor/profiles',
    '/etc/selinux/config',
  ),
  packet_filter: ['nft', 'list', 'ruleset'],
  ip_tables: ['iptables', '-S'],
  // Without its caches it writes nothing.
  upgrades: ['apt', '-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=', 'list', '--upgradable'],
};

/** The program of a reading and its words. No shell takes part; what a call says is one word each. */
export function readingWords(reading: MachineReading): Words {
  switch (reading.read) {
    case 'disks':
      return ['df', '-P', '-k', ...reading.paths];
    case 'inodes':
      return ['df', '-P', '-i', ...reading.paths];
    case 'files_below':
      return ['find', reading.path, '-maxdepth', '4', '-type', 'f', '-printf', String.raw`%T@ %s %p\n`];
    case 'largest_folders':
      // What was counted until then is told: a large disk takes minutes.
      return ['timeout', '20', 'du', '-x', '-k', '--max-depth=2', reading.path];
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
    case 'process_limits':
      return ['cat', `/proc/${reading.pid}/limits`];
    case 'named_processes':
      return ['ps', '-C', reading.names.join(','), '-o', 'pid,ppid,user,pcpu,rss,etimes,args'];
    case 'package':
      return reading.manager === 'rpm'
        ? ['rpm', '-q', reading.name]
        : [
            'dpkg-query',
            '-W',
            '-f',
            String.raw`${'$'}{Package} ${'$'}{Version} ${'$'}{db:Status-Status}\n`,
            reading.name,
          ];
    case 'containers':
      return [reading.engine, 'ps', '--all', '--no-trunc', '--format', '{{json .}}'];
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
    default:
      return PLAIN[reading.read];
  }
}

/** The same as one line that a POSIX shell reads as exactly these words. */
export const readingLine = (reading: MachineReading): string => readingWords(reading).map(quoted).join(' ');

const quoted = (word: string): string =>
  /^[\w./:@%+,-][\w./:@%+,=-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const PRINTED = ['-printf', String.raw`%k %TY-%Tm-%Td %p\n`];

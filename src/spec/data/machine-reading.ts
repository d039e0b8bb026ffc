import { z } from 'zod';

/** A name of a unit of systemd; no program reads it as an option. */
export const UnitName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][\w.@:\\-]*$/, 'a name of a unit');
/** No program reads it as an option or an operator. */
const AnyPath = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[^-(!,\0][^\0]*$/, 'a path');
/** A name of a program or a package; neither an option nor a list. */
const ProgramName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][\w.+@-]*$/, 'a name of a program');
const Port = z.int().min(1).max(65_535);
const Pid = z.int().min(1).max(4_194_304);
export const JOURNAL_PRIORITIES = [
  'emerg',
  'alert',
  'crit',
  'err',
  'warning',
  'notice',
  'info',
  'debug',
] as const;

/** Readings in which a call has nothing to say. */
export const PLAIN_READINGS = [
  'load',
  'uptime',
  'boots',
  'reboots',
  'reboot_required',
  'system',
  'processors',
  'cpu',
  'memory',
  'meminfo',
  'swaps',
  'pressure',
  'bottleneck',
  'activity',
  'waiting',
  'zombies',
  'open_files',
  'limits',
  'deleted_files',
  'mounts',
  'block_devices',
  'partitions',
  'date',
  'clock',
  'time_sync',
  'sockets',
  'connection_counts',
  'addresses',
  'host_addresses',
  'routes',
  'interfaces',
  'resolver',
  'hosts_file',
  'sessions',
  'logins',
  'users',
  'admins',
  'failed_units',
  'running_services',
  'timers',
  'cron_entries',
  'cron_scripts',
  'journal_size',
  'kernel_errors',
  'kernel_log',
  'oom_count',
  'oom_log',
  'gpus',
  'temperatures',
  'access_control',
  'packet_filter',
  'ip_tables',
  'upgrades',
] as const;
export type PlainReading = (typeof PLAIN_READINGS)[number];

const plain = z.strictObject({ read: z.literal(PLAIN_READINGS) });

/**
 * The closed list of what may be read of a machine outside of every sandbox. Each is one program with fixed words; what
 * a call can say is a number, or a name that no program reads as an option.
 */
export const MachineReading = z.discriminatedUnion('read', [
  plain,
  z.strictObject({ read: z.literal('disks'), paths: z.array(AnyPath).max(50).default([]) }),
  z.strictObject({ read: z.literal('inodes'), paths: z.array(AnyPath).max(50).default([]) }),
  z.strictObject({ read: z.literal('files_below'), path: AnyPath }),
  z.strictObject({ read: z.literal('largest_folders'), path: AnyPath }),
  z.strictObject({
    read: z.literal('large_files'),
    path: AnyPath,
    large_mb: z.int().min(1).max(1_000_000).default(100),
  }),
  z.strictObject({ read: z.literal('processes'), by: z.enum(['cpu', 'memory']).default('cpu') }),
  z.strictObject({ read: z.literal('process'), pid: Pid }),
  z.strictObject({ read: z.literal('process_group'), pid: Pid }),
  z.strictObject({ read: z.literal('process_limits'), pid: Pid }),
  z.strictObject({ read: z.literal('named_processes'), names: z.array(ProgramName).min(1).max(10) }),
  z.strictObject({ read: z.literal('package'), name: ProgramName, manager: z.enum(['dpkg', 'rpm']) }),
  z.strictObject({ read: z.literal('containers'), engine: z.enum(['docker', 'podman']) }),
  z.strictObject({ read: z.literal('listeners'), port: Port.optional() }),
  z.strictObject({ read: z.literal('connections'), port: Port }),
  z.strictObject({ read: z.literal('unit_states'), units: z.array(UnitName).min(1).max(50) }),
  z.strictObject({
    read: z.literal('journal'),
    unit: UnitName.optional(),
    lines: z.int().min(1).max(2_000).default(200),
    since: z
      .string()
      .max(50)
      .regex(/^[\w :.][\w :.-]*$/)
      .optional()
      .describe('such as "1 hour ago"'),
    priority: z.enum(JOURNAL_PRIORITIES).optional().describe('and worse'),
  }),
]);
export type MachineReading = z.infer<typeof MachineReading>;

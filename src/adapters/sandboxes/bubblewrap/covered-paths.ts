import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Below the home of the user: keys, tokens, histories. Seen by no command, also when the workspace is the home. */
export const PRIVATE_IN_HOME = [
  '.hermes',
  '.ssh',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/op',
  '.config/rclone',
  '.config/sops',
  '.kube',
  '.docker',
  '.gnupg',
  '.password-store',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.cargo/credentials.toml',
  '.git-credentials',
  '.vault-token',
  '.terraform.d/credentials.tfrc.json',
  '.pgpass',
  '.my.cnf',
  '.bash_history',
  '.zsh_history',
  '.python_history',
];

/** Ways to the rest of this machine that a folder of the system may hold. */
export const PRIVATE_IN_SYSTEM = ['/run', '/var/run', '/sys', '/boot', '/lost+found'];

/** Entries of a procfs that no command needs. */
export const PRIVATE_IN_PROC = [
  '/proc/acpi',
  '/proc/asound',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/proc/sysrq-trigger',
  '/proc/timer_list',
  '/proc/timer_stats',
];

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** Arguments that put something empty in the place of a path. Nothing is done where nothing is there. */
export function cover(path: string): string[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  return lstatSync(real).isDirectory()
    ? ['--perms', '0555', '--tmpfs', real, '--remount-ro', real]
    : ['--ro-bind', '/dev/null', real];
}

/** What below a folder is not for everybody to read: for a reader who owns it without being meant. */
export function notForEverybody(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink()) return [];
    const path = join(folder, entry.name);
    const { mode } = lstatSync(path);
    const needed = entry.isDirectory() ? 0o005 : 0o004;
    if ((mode & needed) !== needed) return [path];
    return entry.isDirectory() ? notForEverybody(path) : [];
  });
}

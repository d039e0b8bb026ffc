import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  cover,
  isInside,
  notForEverybody,
  PRIVATE_IN_HOME,
  PRIVATE_IN_PROC,
  PRIVATE_IN_SYSTEM,
} from './covered-paths.ts';
import type { Identity } from './identity.ts';
import { programFolders, resolverMount, systemMounts } from './system-mounts.ts';

export interface MountPlan {
  readonly workspace: string;
  /** A folder of ours whose `tmp` and `home` the commands of this sandbox share. */
  readonly own: string;
  /** Shown besides the system, read-only. */
  readonly read: readonly string[];
  readonly hidden: readonly string[];
  readonly identity: Identity;
  /** The home of whoever runs Hermes. */
  readonly userHome: string | undefined;
  readonly searchPath: string;
  readonly withResolver: boolean;
}

/** The home of commands: empty at first, and gone with the sandbox. */
export const SANDBOX_HOME = '/home/hermes';

const SHARED_MEMORY_BYTES = String(64 * 2 ** 20);

/**
 * What a command sees of the file system, in the order in which it has to be laid. Made once, before the first command
 * runs: later on, what lies in the workspace is in the hands of the commands.
 */
export function mountArguments(plan: MountPlan): string[] {
  const { workspace, own, identity, userHome } = plan;
  const tools = identity.launcher.length > 0 ? [] : programFolders(plan.searchPath, userHome);
  const isHidden = (path: string) => plan.hidden.some((folder) => isInside(path, folder));
  const read = [...tools, ...plan.read].filter((path) => existsSync(path) && !isHidden(path));
  const shown = [workspace, '/usr', '/etc', ...read];
  const secret = [
    ...plan.hidden,
    ...(userHome ? PRIVATE_IN_HOME.map((name) => join(userHome, name)) : []),
    ...PRIVATE_IN_SYSTEM,
    ...(identity.ownsSystem ? notForEverybody('/etc') : []),
  ].filter((path) => shown.some((folder) => path !== folder && isInside(path, folder)));
  return [
    ...systemMounts(),
    ...(plan.withResolver ? resolverMount() : []),
    ...['--proc', '/proc', '--dev', '/dev', '--size', SHARED_MEMORY_BYTES, '--tmpfs', '/dev/shm'],
    ...['--bind', join(own, 'tmp'), '/tmp', '--bind', join(own, 'tmp'), '/var/tmp', '--dir', '/run'],
    ...['--bind', join(own, 'home'), SANDBOX_HOME],
    ...read.flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', workspace, workspace, ...pins(workspace, secret), ...gitGuards(workspace)],
    ...[...secret, ...PRIVATE_IN_PROC].flatMap(cover),
    ...['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/'],
  ];
}

/**
 * What git would run for its user outside stays as it is. A link, or nothing, is nothing to guard: the first command
 * that makes a repository may also set it up. Hermes itself relies on none of this: it runs git in the workspace only
 * in a sandbox, and its checkpoints read no settings from there.
 */
function gitGuards(workspace: string): string[] {
  const git = join(workspace, '.git');
  const kind = lstatSync(git, { throwIfNoEntry: false });
  if (!kind || kind.isSymbolicLink()) return [];
  if (!kind.isDirectory()) return ['--ro-bind', git, git];
  const guarded = ['hooks', 'config', 'config.worktree'].map((name) => join(git, name)).filter(isPlain);
  const hooks = join(git, 'hooks');
  const none = existsSync(hooks) ? [] : ['--tmpfs', hooks, '--remount-ro', hooks];
  return ['--bind', git, git, ...guarded.flatMap((path) => ['--ro-bind', path, path]), ...none];
}

/**
 * The folders between the workspace and what is covered in it become mounts of their own. A mount cannot be renamed,
 * so what lies below cannot be moved to where nothing covers it.
 */
function pins(workspace: string, secret: readonly string[]): string[] {
  const between = secret.filter(existsSync).flatMap((path) => {
    const names = relative(workspace, realpathSync(path)).split('/');
    if (names[0] === '..') return [];
    return names.slice(0, -1).map((_, at) => join(workspace, ...names.slice(0, at + 1)));
  });
  return [...new Set(between)].sort().flatMap((folder) => ['--bind', folder, folder]);
}

function isPlain(path: string): boolean {
  const kind = lstatSync(path, { throwIfNoEntry: false });
  return kind !== undefined && !kind.isSymbolicLink();
}

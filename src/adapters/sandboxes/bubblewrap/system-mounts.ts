import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isInside } from './covered-paths.ts';

/** Folders of the system that programs need. Nothing else of this machine is there. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc'];

/** Homes of programs, by the root under which each first folder is one. */
const PROGRAM_ROOTS = ['/opt', '/nix', '/snap'];

/** Folders of a home that hold programs and no keys. */
const PROGRAMS_IN_HOME = [
  '.pyenv',
  '.nvm',
  '.volta',
  '.asdf/shims',
  '.rustup',
  '.sdkman/candidates',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
  '.local/bin',
  'go/bin',
];

/** The system, read-only. */
export function systemMounts(): string[] {
  return SYSTEM.filter(existsSync).flatMap((path) =>
    lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
  );
}

const isSystem = (path: string): boolean => SYSTEM.some((folder) => isInside(path, folder));

/** Whether a workspace here would hand over the system itself. */
export const holdsSystem = (path: string): boolean =>
  [...SYSTEM, '/proc', '/dev', '/sys', '/run', '/tmp'].some((folder) => isInside(folder, path));

/** Folders outside of the system that the search path leads to, as far as they are known to hold no keys. */
export function programFolders(searchPath: string, home: string | undefined): string[] {
  const found = searchPath.split(delimiter).flatMap((folder) => {
    if (!folder.startsWith('/') || !existsSync(folder) || isSystem(folder)) return [];
    const root = PROGRAM_ROOTS.find((path) => isInside(folder, path));
    if (root) return [join(root, folder.slice(root.length + 1).split('/')[0] ?? '')];
    const known = PROGRAMS_IN_HOME.map((name) => join(home ?? '/nonexistent', name));
    return known.filter((path) => isInside(folder, path));
  });
  return [...new Set(found)].filter((path) => !lstatSync(path).isSymbolicLink());
}

/** The file with the name servers may lie where the sandbox has nothing. */
export function resolverMount(): string[] {
  const file = '/etc/resolv.conf';
  if (!existsSync(file)) return [];
  const real = realpathSync(file);
  return isSystem(real) ? [] : ['--ro-bind', real, real];
}

import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder that comes with Hermes, beside its package.json, whether it runs from source or from its bundle. */
export function packageFolder(name: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, name);
}

/**
 * A profile that comes with Hermes is made when somebody first asks for it, whole or not at all. It is theirs from then
 * on: nothing is written into it again.
 */
export function makeShippedProfile(base: string, name: string): void {
  const shipped = join(packageFolder('profiles'), name);
  const target = join(base, 'profiles', name);
  if (existsSync(target) || !existsSync(join(shipped, 'config.yaml'))) return;
  mkdirSync(join(base, 'profiles'), { recursive: true, mode: 0o700 });
  const draft = `${target}.${process.pid}.draft`;
  cpSync(shipped, draft, { recursive: true });
  try {
    renameSync(draft, target);
  } catch {
    // Another process was quicker: its copy is the same.
    rmSync(draft, { recursive: true, force: true });
  }
}

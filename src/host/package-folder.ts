import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder that comes with Hermes, beside its package.json, whether it runs from source or from its bundle. */
export function packageFolder(name: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, name);
}

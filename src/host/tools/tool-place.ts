import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ToolPlace } from '#spec/ports';
import type { Env } from '#config';

/** What tools can count on here: keys of the profile and programs on the path. */
export function toolPlace(env: Env, sees: boolean): ToolPlace {
  return {
    sees,
    key: (name) => env[name] || undefined,
    program: (name) => findProgram(name, env.PATH ?? ''),
  };
}

function findProgram(name: string, path: string): string | undefined {
  if (!/^[\w.+-]+$/.test(name)) return undefined;
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type BackendConfig, parseBackends } from '#adapters/backends';
import { readText } from '#adapters/store';
import { fail } from '#kit/app-error';
import type { SandboxKind, SandboxPlace } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { toolPlace } from './tool-place.ts';

const LIMITS = { memoryMb: 4_096, processes: 512, cpuSeconds: 600 };

/** What stands under the user's home and is nobody else's business, besides what each sandbox hides by itself. */
const PRIVATE = '.ssh .aws .azure .config/gcloud .kube .gnupg .netrc .docker .config/gh'.split(' ');

/** What every backend of a workspace is told. */
export function backendPlace(
  home: Home,
  { env }: LoadedConfig,
  workspace: string,
): Omit<SandboxPlace, 'name'> {
  const { program, key } = toolPlace(env, false);
  const userHome = env.HOME ?? homedir();
  const hidden = [home.base, ...PRIVATE.map((name) => join(userHome, name))];
  return { workspace, hidden, limits: LIMITS, env, program, key };
}

/** `more`: kinds of sandboxes that plugins bring. */
export async function readBackends(home: Home, more: readonly SandboxKind[]): Promise<BackendConfig> {
  const path = home.file('backends.yaml');
  const text = await readText(path);
  try {
    return await parseBackends(text === undefined ? undefined : parse(text), more);
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'YAMLParseError') throw cause;
    throw fail('config.invalid', `${path}: ${cause.message}`, undefined, cause);
  }
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { type BackendConfig, parseBackends } from '#adapters/sandboxes';
import type { Logger, SandboxKind, SandboxPlace } from '#spec/ports';
import { openHomeYaml } from '../config/home-yaml.ts';
import { atItsPlace } from '#config';
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
  log: Logger,
  workspace: string,
): Omit<SandboxPlace, 'name'> {
  const { program, key } = toolPlace(env, false);
  const userHome = env.HOME ?? homedir();
  const hidden = [home.base, ...PRIVATE.map((name) => join(userHome, name))];
  return { workspace, hidden, limits: LIMITS, env, program, key, log };
}

/** `more`: kinds of sandboxes that plugins bring. */
export async function readBackends(
  home: Home,
  { config }: LoadedConfig,
  more: readonly SandboxKind[],
): Promise<BackendConfig> {
  const file = home.file('backends.yaml');
  const yaml = await openHomeYaml(file);
  const parsed = await atItsPlace(file, yaml, () => parseBackends(yaml?.data, more));
  const { without_sandbox } = config.gate;
  return { ...parsed, ...(without_sandbox === undefined ? {} : { withoutSandbox: without_sandbox }) };
}

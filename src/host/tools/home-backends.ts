import { homedir } from 'node:os';
import { join } from 'node:path';
import { type BackendConfig, type ListedBackend, openBackends, parseBackends } from '#adapters/sandboxes';
import type { Logger, Missing, SandboxKind, SandboxPlace } from '#spec/ports';
import { openHomeYaml } from '../config/home-yaml.ts';
import { atItsPlace } from '#config';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import type { Host } from '../open-host.ts';
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

type Needs = Pick<Host, 'home' | 'loaded' | 'log' | 'plugins'>;

export interface BackendView extends ListedBackend {
  readonly isDefault: boolean;
}

/** The backends of this home, as they stand for the folder that Hermes was started in. */
export async function viewBackends(host: Needs): Promise<BackendView[]> {
  const { home, loaded, log } = host;
  const { sandboxes } = await host.plugins();
  const backends = openBackends(
    await readBackends(home, loaded, sandboxes),
    backendPlace(home, loaded, log, process.cwd()),
  );
  try {
    const [listed, chosen] = await Promise.all([backends.list(), backends.choice()]);
    return listed.map((backend) => ({ ...backend, isDefault: backend.name === chosen.name }));
  } finally {
    await backends.close();
  }
}

/** Why nothing runs here until a person has said whether commands may run without a sandbox; undefined where that is clear. */
export async function sandboxQuestion(host: Needs): Promise<Missing | undefined> {
  const { home, loaded, log } = host;
  if (loaded.config.gate.without_sandbox !== undefined) return undefined;
  const { sandboxes } = await host.plugins();
  const config = await readBackends(home, loaded, sandboxes);
  if (config.default !== undefined) return undefined;
  const backends = openBackends(config, backendPlace(home, loaded, log, process.cwd()));
  try {
    return (await backends.choice()).missing;
  } finally {
    await backends.close();
  }
}

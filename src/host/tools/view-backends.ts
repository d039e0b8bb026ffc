import { type ListedBackend, openBackends } from '#adapters/sandboxes';
import type { Missing } from '#spec/ports';
import type { Host } from '../open-host.ts';
import { backendPlace, readBackends } from './backend-place.ts';

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

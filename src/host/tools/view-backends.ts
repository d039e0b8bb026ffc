import { type ListedBackend, openBackends } from '#adapters/backends';
import type { Host } from '../open-host.ts';
import { backendPlace, readBackends } from './backend-place.ts';

export interface BackendView extends ListedBackend {
  readonly isDefault: boolean;
}

/** The backends of this home, as they stand for the folder that Hermes was started in. */
export async function viewBackends(host: Host): Promise<BackendView[]> {
  const { home, loaded } = host;
  const { sandboxes } = await host.plugins('en');
  const backends = openBackends(
    await readBackends(home, sandboxes),
    backendPlace(home, loaded, process.cwd()),
  );
  try {
    const [listed, chosen] = await Promise.all([backends.list(), backends.choice()]);
    return listed.map((backend) => ({ ...backend, isDefault: backend.name === chosen.name }));
  } finally {
    await backends.close();
  }
}

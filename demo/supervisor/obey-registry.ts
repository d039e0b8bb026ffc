import type { DeployRegistry } from '#kit/deploy-registry';
import type { Announce } from '../demo-event.ts';
import { readRegistry, watchRegistry } from '../runtime/registry-file.ts';
import { SERVICE_NAMES } from '../system/service-names.ts';
import type { Supervisor } from './supervisor.ts';

/** Restarts what the registry says is to be restarted, and tells what was done. Gives what the registry says now. */
export function obeyRegistry(
  file: string,
  supervisor: Supervisor,
  announce: Announce,
  signal: AbortSignal,
): () => DeployRegistry {
  let known = readRegistry(file);
  watchRegistry(
    file,
    (next) => {
      for (const { service, summary } of next.history.slice(known.history.length))
        announce({ type: 'registry.changed', service, summary });
      for (const name of SERVICE_NAMES)
        if (next.services[name]?.restartedAt !== known.services[name]?.restartedAt) supervisor.restart(name);
      known = next;
    },
    signal,
  );
  return () => known;
}

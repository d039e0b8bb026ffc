import { openIncidentBackends } from '../incidents/open-incident-backends.ts';
import type { Host } from '../open-host.ts';
import type { HomeReach } from '#app/status';
import { openReach } from './open-reach.ts';

type Needs = Pick<Host, 'home' | 'loaded' | 'log' | 'mcp' | 'models' | 'onClose' | 'plugins'>;

/**
 * Everything that a home reaches out to, for somebody who waits for the answer, in a process that does not serve it.
 * Throws what keeps `backends.yaml` from being read.
 */
export async function openOwnReach(host: Needs): Promise<HomeReach> {
  const backends = await openIncidentBackends(host);
  host.onClose(() => backends.close());
  return openReach(host, { backends, onDemand: true });
}

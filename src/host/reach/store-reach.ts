import { basename } from 'node:path';
import { probeDatabase, type StoreFile } from '#adapters/store';
import { incidentStoreFile } from '../incidents/incident-store-file.ts';
import type { Host } from '../open-host.ts';
import type { AskingManner, PartReachable } from '#app/status';

type Needs = Pick<Host, 'home' | 'loaded'>;

/** The databases of a home. */
export function homeDatabases(host: Needs): StoreFile[] {
  const own = (['ledger', 'memory', 'learning', 'flows'] as const).map((store) => ({
    store,
    path: host.home.file(`${store}.db`),
  }));
  const sessions = { store: 'sessions' as const, path: host.home.file('state.db') };
  return [sessions, ...own, { store: 'incidents' as const, path: incidentStoreFile(host) }];
}

export function storeReach(host: Needs, { onDemand }: AskingManner): PartReachable[] {
  return homeDatabases(host).map((file) => ({
    name: basename(file.path),
    probe: () => probeDatabase(file, { thorough: onDemand }),
  }));
}

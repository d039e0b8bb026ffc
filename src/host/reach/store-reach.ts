import { basename } from 'node:path';
import { probeDatabase } from '#adapters/store';
import { incidentStoreFile } from '../incidents/incident-store-file.ts';
import type { Host } from '../open-host.ts';
import type { AskingManner, PartReachable } from './reach-part.ts';

/** The databases of a home. */
export function storeReach(host: Host, { onDemand }: AskingManner): PartReachable[] {
  const own = (['state.db', 'ledger.db', 'memory.db', 'learning.db', 'flows.db'] as const).map((name) =>
    host.home.file(name),
  );
  return [...own, incidentStoreFile(host)].map((path) => ({
    name: basename(path),
    probe: () => probeDatabase(path, { thorough: onDemand }),
  }));
}

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type RepairReport, repairSessionDatabase, type StoreFile } from '#adapters/store';
import type { Home } from './home.ts';
import type { Host } from './open-host.ts';

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

/** Mends the store of conversations, also when it can no longer be opened. */
export const repairSessions = (home: Home): Promise<RepairReport> =>
  repairSessionDatabase(home.file('state.db'));

/** Where incidents are kept: a file that somebody names, a folder that somebody names, or the home. */
export function incidentStoreFile({ home, loaded: { env } }: Needs): string {
  const file = env['RUNBOOK_STORE_SQLITE_PATH'];
  if (file) return written(file, env);
  const folder = env['RUNBOOK_STORE_DIR'];
  return folder ? join(written(folder, env), 'incidents.db') : home.file('incidents.db');
}

const written = (path: string, env: Readonly<Record<string, string | undefined>>): string =>
  resolve(path.replace(/^~(?=$|[/\\])/, env['HOME'] || homedir()));

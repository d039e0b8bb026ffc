import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Host } from '../open-host.ts';

/** Where incidents are kept: a file that somebody names, a folder that somebody names, or the home. */
export function incidentStoreFile({ home, loaded: { env } }: Pick<Host, 'home' | 'loaded'>): string {
  const file = env['RUNBOOK_STORE_SQLITE_PATH'];
  if (file) return written(file, env);
  const folder = env['RUNBOOK_STORE_DIR'];
  return folder ? join(written(folder, env), 'incidents.db') : home.file('incidents.db');
}

const written = (path: string, env: Readonly<Record<string, string | undefined>>): string =>
  resolve(path.replace(/^~(?=$|[/\\])/, env['HOME'] || homedir()));

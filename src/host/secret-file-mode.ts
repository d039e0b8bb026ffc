import { stat } from 'node:fs/promises';
import { ignoreMissing } from '#adapters/io/ignore-missing';
import type { Home } from './home.ts';

/** Whether others on this machine can read `.env`, and the command that mends it. Undefined: they cannot. */
export async function openSecretsFile({
  file,
}: Pick<Home, 'file'>): Promise<{ path: string; fix: string } | undefined> {
  const path = file('.env');
  const found = await stat(path).catch(ignoreMissing);
  const open = found && process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  return open ? { path, fix: `chmod 600 '${path.replaceAll("'", `'\\''`)}'` } : undefined;
}

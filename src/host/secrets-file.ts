import { ignoreMissing } from '#adapters/io/ignore-missing';
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { atomicWrite, readText, withFileLock } from '#adapters/store';
import { readEnvFile, setEnvValue } from '#config';
import type { Home } from './home.ts';
import type { Host } from './open-host.ts';

const SERVER_TOKEN = 'RUNBOOK_API_TOKEN';

/** Whether others on this machine can read `.env`, and the command that mends it. Undefined: they cannot. */
export async function openSecretsFile({
  file,
}: Pick<Home, 'file'>): Promise<{ path: string; fix: string } | undefined> {
  const path = file('.env');
  const found = await stat(path).catch(ignoreMissing);
  const open = found && process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  return open ? { path, fix: `chmod 600 '${path.replaceAll("'", `'\\''`)}'` } : undefined;
}

/** The token of the server of this home. Where there is none, one is made and kept in `.env`, for its owner alone. */
export async function serverToken({
  home,
  loaded,
}: Pick<Host, 'home' | 'loaded'>): Promise<{ readonly token: string; readonly made: boolean }> {
  const known = loaded.env[SERVER_TOKEN];
  if (known) return { token: known, made: false };
  const path = home.file('.env');
  return withFileLock(path, async () => {
    const text = (await readText(path)) ?? '';
    const other = readEnvFile(text)[SERVER_TOKEN];
    if (other) return { token: other, made: false };
    const token = randomBytes(24).toString('hex');
    await atomicWrite(path, setEnvValue(text, SERVER_TOKEN, token), { mode: 0o600 });
    return { token, made: true };
  });
}

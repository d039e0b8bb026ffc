import { randomBytes } from 'node:crypto';
import { atomicWrite, readText, withFileLock } from '#adapters/store';
import { readEnvFile, setEnvValue } from '#config';
import type { Host } from './open-host.ts';

type Needs = Pick<Host, 'home' | 'loaded'>;

const NAME = 'RUNBOOK_API_TOKEN';

/** The token of the server of this home. Where there is none, one is made and kept in `.env`, for its owner alone. */
export async function serverToken({
  home,
  loaded,
}: Needs): Promise<{ readonly token: string; readonly made: boolean }> {
  const known = loaded.env[NAME];
  if (known) return { token: known, made: false };
  const path = home.file('.env');
  return withFileLock(path, async () => {
    const text = (await readText(path)) ?? '';
    const other = readEnvFile(text)[NAME];
    if (other) return { token: other, made: false };
    const token = randomBytes(24).toString('hex');
    await atomicWrite(path, setEnvValue(text, NAME, token), { mode: 0o600 });
    return { token, made: true };
  });
}

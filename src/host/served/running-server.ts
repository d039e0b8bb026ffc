import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { atomicWrite, readText, withFileLock } from '#adapters/store';
import { fail } from '#kit/app-error';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { isAlive } from '#adapters/processes';
import type { ServedStatus } from '#app/status';

const ServerFile = z.object({ pid: z.number().int().positive(), url: z.url(), startedAt: z.string() });
export type ServerFile = z.infer<typeof ServerFile>;

/**
 * `silent`: its process is there and holds the port, but does not answer. `absent`: there is none, whatever a file of a
 * process that is gone, or whose number somebody else has now, says.
 */
export type FoundServer =
  | { readonly state: 'running'; readonly server: ServerFile; readonly status: ServedStatus | undefined }
  | { readonly state: 'silent'; readonly server: ServerFile }
  | { readonly state: 'absent' };

const ASK_MS = 5_000;

interface Place {
  readonly home: Home;
  readonly loaded: LoadedConfig;
}

/** The server of a home, as its file says and as it says itself. */
export async function findServer({ home, loaded }: Place): Promise<FoundServer> {
  const server = readFile(await readText(home.file('server.json')));
  if (!server || !isAlive(server.pid)) return { state: 'absent' };
  try {
    return await asked(server, loaded.env['RUNBOOK_API_TOKEN']);
  } catch (thrown) {
    const timedOut = thrown instanceof Error && thrown.name === 'TimeoutError';
    return timedOut ? { state: 'silent', server } : { state: 'absent' };
  }
}

/**
 * Asks the process whether it is the one. Without a token that it knows, it still shows that a Hermes is there.
 */
async function asked(server: ServerFile, token: string | undefined): Promise<FoundServer> {
  const answer = await fetch(`${server.url}/api/status`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(ASK_MS),
  });
  const body: unknown = await answer.json();
  if (answer.status === 401) return { state: 'running', server, status: undefined };
  if (!answer.ok) return { state: 'silent', server };
  const status = body as ServedStatus;
  return status.pid === server.pid ? { state: 'running', server, status } : { state: 'absent' };
}

/** Says that this process serves the home. Throws `input.conflict` when another one does. */
export async function claimServer(place: Place, server: ServerFile): Promise<void> {
  const path = place.home.file('server.json');
  await withFileLock(path, async () => {
    const found = await findServer(place);
    if (found.state !== 'absent' && found.server.pid !== process.pid) throw alreadyServed(found.server);
    await atomicWrite(path, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  });
}

/** Throws `input.conflict` when a process serves the home. */
export async function refuseSecondServer(place: Place): Promise<void> {
  const found = await findServer(place);
  if (found.state !== 'absent') throw alreadyServed(found.server);
}

const alreadyServed = ({ pid, url }: ServerFile) =>
  fail('input.conflict', `This home is served already: ${url} (process ${pid}).`, 'hermes stop');

/** Takes the file of a process away, unless it has become somebody else's. */
export async function releaseServer({ home }: Pick<Place, 'home'>, pid: number): Promise<void> {
  const path = home.file('server.json');
  await withFileLock(path, async () => {
    if (readFile(await readText(path))?.pid === pid) await rm(path, { force: true });
  });
}

function readFile(text: string | undefined): ServerFile | undefined {
  if (!text) return undefined;
  try {
    return ServerFile.safeParse(JSON.parse(text)).data;
  } catch {
    // Whatever it is, it names no server.
    return undefined;
  }
}

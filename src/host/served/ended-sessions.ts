import { atomicWrite, readText } from '#adapters/store';
import type { Host } from '../open-host.ts';

/** Sessions of the console that were ended before their time: they stay ended when the server starts again. */
export async function endedSessions({ home, log }: Pick<Host, 'home' | 'log'>, now: () => number) {
  const path = home.file('server_sessions.json');
  const known = new Map(readEntries(await readText(path)).filter(([, until]) => until > now()));
  let writing = Promise.resolve();
  return {
    known,
    keep: (ended: ReadonlyMap<string, number>): void => {
      const text = JSON.stringify([...ended]);
      writing = writing
        .then(() => atomicWrite(path, text, { mode: 0o600 }))
        .then(() => undefined)
        .catch((thrown: unknown) => log.error('part.failed', { part: path, thrown }));
    },
    /** Resolves when all of it is on disk. */
    written: (): Promise<void> => writing,
  };
}

function readEntries(text: string | undefined): [string, number][] {
  if (!text) return [];
  try {
    const read = JSON.parse(text) as unknown;
    if (!Array.isArray(read)) return [];
    return read.filter(
      (entry): entry is [string, number] =>
        Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number',
    );
  } catch {
    // Half a file of a full disk: sessions end by themselves within hours.
    return [];
  }
}

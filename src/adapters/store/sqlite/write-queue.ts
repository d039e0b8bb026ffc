import { sleep } from '#kit/sleep';
import type { Connection } from './connection.ts';
import { watchFile } from './file-standing.ts';
import { isBusy, type StoreFile, toStoreError } from './store-error.ts';

const FIRST_WAIT_MS = 5;
const MOST_WAIT_MS = 100;

export interface WriteQueue {
  /** Runs `body` in one transaction, after every write that was asked for before. All or nothing. */
  write<T>(body: () => T): Promise<T>;
  /** Runs `body` against one state of the database. */
  read<T>(body: () => T): Promise<T>;
  /** Runs `body` without a transaction, which damage would keep from ending. */
  look<T>(body: () => T): Promise<T>;
  /** Resolves when nothing is waiting any more. */
  idle(): Promise<void>;
}

/**
 * Takes the lock at the beginning of a write (`BEGIN IMMEDIATE`), so that a transaction never fails halfway because
 * another process was quicker. While that process holds the lock, it tries again after a random wait that grows,
 * without holding up the event loop, and gives up with `store.busy` after `patienceMs`. Nothing is committed to a file that
 * is no longer the one at its path, or is known to be damaged.
 */
export function writeQueue(connection: Connection, file: StoreFile, patienceMs: number): WriteQueue {
  const never = new AbortController().signal;
  const requireStanding = watchFile(file);
  let last: Promise<unknown> = Promise.resolve();

  const patiently = async <T>(attempt: () => T): Promise<T> => {
    const giveUp = performance.now() + patienceMs;
    for (let longest = FIRST_WAIT_MS; ; longest = Math.min(MOST_WAIT_MS, longest * 2)) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUp) throw toStoreError(error, file);
      }
      await sleep(1 + Math.random() * longest, never);
    }
  };

  return {
    write: (body) => {
      const whole = connection.transaction(() => {
        const result = body();
        requireStanding();
        return result;
      });
      const written = last.then(() => patiently(() => whole.immediate()));
      last = written.then(
        () => undefined,
        () => undefined,
      );
      return written;
    },
    read: (body) => patiently(() => connection.transaction(body).deferred()),
    look: patiently,
    idle: async () => void (await last),
  };
}

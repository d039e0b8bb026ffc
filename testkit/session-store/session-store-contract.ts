import type { SearchIndex, SessionStore, Transcript } from '#spec/ports';
import { describeSearchIndex } from './search-index-contract.ts';
import { describeSessions } from './sessions-contract.ts';
import { describeTranscript } from './transcript-contract.ts';

export interface SessionStorage {
  readonly sessions: SessionStore;
  readonly transcript: Transcript;
  readonly index: SearchIndex;
  close(): Promise<void>;
}

/** What every implementation of `SessionStore`, `Transcript` and `SearchIndex` does. `open` gives an empty one. */
export function describeSessionStore(name: string, open: () => Promise<SessionStorage>): void {
  /** Runs a test on storage of its own. */
  const on = (test: (storage: SessionStorage) => Promise<void>) => async () => {
    const storage = await open();
    try {
      await test(storage);
    } finally {
      await storage.close();
    }
  };
  describeSessions(name, on);
  describeTranscript(name, on);
  describeSearchIndex(name, on);
}

export type OnStorage = (test: (storage: SessionStorage) => Promise<void>) => () => Promise<void>;

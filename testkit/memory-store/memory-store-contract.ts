import type { MemoryCensus, MemoryIndex, MemoryStore, StagedWrites } from '#spec/ports';
import { describeEntries } from './entries-contract.ts';
import { describeVersions } from './versions-contract.ts';
import { describeStagedWrites } from './staged-contract.ts';
import { describeTerms } from './terms-contract.ts';
import { describeVectors } from './vectors-contract.ts';

export interface MemoryStorage {
  readonly store: MemoryStore & MemoryCensus;
  readonly index: MemoryIndex;
  readonly staged: StagedWrites;
  close(): Promise<void>;
}

/** The time that a storage under test goes by. */
interface OwnedTime {
  now: number;
}

export type OnMemory = (
  test: (storage: MemoryStorage, time: OwnedTime) => Promise<void>,
) => () => Promise<void>;

/** What every implementation of `MemoryStore`, `MemoryIndex` and `StagedWrites` does. `open` gives an empty one. */
export function describeMemoryStore(name: string, open: (now: () => number) => Promise<MemoryStorage>): void {
  /** Runs a test on storage of its own. */
  const on: OnMemory = (test) => async () => {
    const time = { now: 1_000 };
    const storage = await open(() => time.now);
    try {
      await test(storage, time);
    } finally {
      await storage.close();
    }
  };
  describeEntries(name, on);
  describeVersions(name, on);
  describeTerms(name, on);
  describeVectors(name, on);
  describeStagedWrites(name, on);
}

import type { Memory, Notebooks, OutsideMemories, UserModel } from '#engines/memory';
import type { KnownSecrets } from '#kit/redact';
import type { MemoryCensus, MemoryStore, StagedWrites } from '#spec/ports';

/** The memory of one home, shared by every conversation and every process that has the home open. */
export interface HomeMemory {
  readonly memory: Memory;
  readonly store: MemoryStore & MemoryCensus;
  readonly notebooks: Notebooks;
  readonly user: UserModel;
  readonly staged: StagedWrites;
  readonly outside: OutsideMemories | undefined;
  /** Keys and passwords of this profile: they are not remembered. */
  readonly secrets: KnownSecrets;
  /** What works worse than it could, each said once. */
  takeNotices(): readonly string[];
}

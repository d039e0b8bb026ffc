import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryCensus, MemoryIndex, MemoryStore, NotebookFiles, StagedWrites } from '#spec/ports';
import type { Memory } from '../../../../src/engines/memory/entries/memory.ts';
import { openMemory } from '../../../../src/engines/memory/entries/open-memory.ts';
import { type Notebooks, openNotebooks } from '../../../../src/engines/memory/notebooks/open-notebooks.ts';
import type { MemoryView } from '../../../../src/engines/memory/scopes.ts';

export const LIN: MemoryView = { audience: { source: 'telegram', user: 'lin', chat: 'dm' }, shared: false };
export const WEI: MemoryView = { audience: { source: 'telegram', user: 'wei', chat: 'dm2' }, shared: false };
export const GROUP: MemoryView = { audience: { source: 'telegram', user: 'lin', chat: 'ops' }, shared: true };
export const DAY = 86_400_000;

interface Database {
  readonly store: MemoryStore & MemoryCensus;
  readonly index: MemoryIndex;
  readonly staged: StagedWrites;
  close(): Promise<void>;
}

/** The real adapters, which only a test may name. */
export interface HomeAdapters {
  openMemoryDatabase(path: string, options: { readonly now: () => number }): Promise<Database>;
  notebookFiles(root: string): NotebookFiles;
}

export interface MemoryHome {
  readonly database: Database;
  readonly files: NotebookFiles;
  readonly memory: Memory;
  readonly notebooks: Notebooks;
  readonly root: string;
  clock: number;
  close(): Promise<void>;
}

/** For tests: a home with a real store and real files, and a clock of its own. */
export async function memoryHome({ openMemoryDatabase, notebookFiles }: HomeAdapters): Promise<MemoryHome> {
  const root = await mkdtemp(join(tmpdir(), 'memory-'));
  const now = () => home.clock;
  const database = await openMemoryDatabase(join(root, 'memory.db'), { now });
  const files = notebookFiles(join(root, 'memories'));
  const home: MemoryHome = {
    root,
    clock: Date.UTC(2026, 4, 1, 9),
    database,
    files,
    memory: openMemory({ ...database, now }),
    notebooks: openNotebooks({ files, store: database.store, now }),
    close: async () => {
      await database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  return home;
}

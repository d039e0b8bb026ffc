import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MemoryDatabase, openMemoryDatabase } from '#adapters/store';
import { type Memory, openMemory } from '#engines/memory';
import type { Embedder, NewMemory } from '#spec/ports';

export interface Line {
  readonly id: string;
  readonly speaker: string;
  readonly at: number;
  readonly text: string;
}

export interface Talk {
  readonly id: string;
  readonly lines: readonly Line[];
}

export interface ScratchMemory extends Pick<MemoryDatabase, 'index'> {
  /** Best first, as ids of lines. */
  recall(query: string, limit: number): Promise<readonly string[]>;
}

export interface ScratchOptions {
  readonly embedder: Embedder | undefined;
  readonly ranking?: NonNullable<Parameters<typeof openMemory>[0]['ranking']>;
  /** The moment at which it is asked. */
  readonly now: number;
}

const VIEW = { audience: { source: 'bench', user: 'bench', chat: 'bench' }, shared: false };
export const SCOPE = 'person/bench/bench';

/** Every line of the talks is an entry of a long-term memory of its own, which is removed after `use`. */
export async function withTalks<T>(
  talks: readonly Talk[],
  { embedder, ranking, now }: ScratchOptions,
  use: (memory: ScratchMemory) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const db = await openMemoryDatabase(join(folder, 'memory.db'), { now: () => now });
  const extra = { ...(embedder ? { embedder } : {}), ...(ranking ? { ranking } : {}) };
  const memory = openMemory({ store: db.store, index: db.index, now: () => now, ...extra });
  try {
    await db.store.put(talks.flatMap(entriesOf));
    await takeUpAll(memory);
    const recall = async (query: string, limit: number) =>
      (await memory.recall(query, VIEW, { limit })).map(({ entry }) => entry.id);
    return await use({ index: db.index, recall });
  } finally {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function takeUpAll(memory: Memory): Promise<void> {
  for (;;) if (!(await memory.indexPending()).more) return;
}

function entriesOf({ id: session, lines }: Talk): NewMemory[] {
  return lines.map(({ id, speaker, at, text }, nth) => {
    const [previous, next] = [lines[nth - 1]?.text, lines[nth + 1]?.text];
    const around = { ...(previous ? { previous } : {}), ...(next ? { next } : {}) };
    return {
      id,
      scope: SCOPE,
      kind: 'note',
      text,
      at,
      context: { ...(speaker ? { speaker } : {}), ...around },
      provenance: { by: 'import', session },
    };
  });
}

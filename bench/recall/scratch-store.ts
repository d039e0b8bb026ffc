import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSessionDatabase, type SessionDatabase } from '#adapters/store';
import { indexEntries } from '#engines/retrieval';
import type { StoredMessage } from '#spec/data';

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

/** Stores and indexes talks in a database of its own, and removes it after `use`. */
export async function withTalks<T>(
  talks: readonly Talk[],
  use: (db: SessionDatabase) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const db = await openSessionDatabase(join(folder, 'state.db'));
  try {
    for (const talk of talks) await store(db, talk);
    return await use(db);
  } finally {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function store(db: SessionDatabase, { id, lines }: Talk): Promise<void> {
  const [createdAt = 0, updatedAt = 0] = [lines[0]?.at, lines.at(-1)?.at];
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const audience = { source: 'bench', user: 'bench', chat: 'bench' };
  const prefix = { system: [], tools: [] };
  await db.sessions.create({ ...audience, id, createdAt, updatedAt, messages: 0, usage, cost: 0 }, prefix);
  const entries = lines.map(({ id: line, at, text }) => ({
    id: line,
    turn: 1,
    at,
    state: 'active' as const,
    kind: 'plain' as const,
    message: { role: 'user' as const, content: [{ type: 'text' as const, text }] },
  }));
  const stored = await db.transcript.append(id, entries, []);
  const speakers = new Map(lines.map((line) => [line.id, line.speaker]));
  await db.index.put(indexEntries(stored, (message: StoredMessage) => speakers.get(message.id) ?? ''));
}

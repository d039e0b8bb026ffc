import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleSession } from '#testkit/session-store';
import { openSessionDatabase, type SessionDatabase } from './open-session-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Writes to session `s1` until it has written `count` times, printing each id once the store has confirmed it. */
const WRITER = `
  import { writeSync } from 'node:fs';
  import { openSessionDatabase } from '#adapters/store';
  const [path, name, count] = process.argv.slice(-3);
  const db = await openSessionDatabase(path);
  for (let at = 0; at < Number(count); at++) {
    const id = name + '-' + at;
    const text = (id + ' ').repeat(1 + (at * 37) % 900);
    const message = { role: 'user', content: [{ type: 'text', text }] };
    const entry = { id, turn: at, at, state: 'active', kind: 'plain', message };
    await db.transcript.append('s1', [entry], [{ type: 'message.added', at, data: { message: id, role: 'user' } }]);
    writeSync(1, id + '\\n');
    if (at % 5 === 0) {
      const fields = { text: id, speaker: 'user', previous: '', next: '', date: '' };
      await db.index.put((await db.index.missing(20)).map(({ message: { id, session } }) => ({ id, session, fields })));
    }
  }
  await db.close();
`;

interface Writer {
  readonly process: ChildProcess;
  readonly confirmed: readonly string[];
  /** Resolves when so many writes were confirmed. */
  reached(count: number): Promise<void>;
  /** Resolves to the exit code once everything that was printed has been read. */
  readonly ended: Promise<number | null>;
}

function startWriter(path: string, name: string, count: number): Writer {
  const args = ['--input-type=module', '-e', WRITER, path, name, String(count)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const confirmed: string[] = [];
  const waits: { count: number; resolve: () => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (id) => {
    confirmed.push(id);
    for (const wait of waits) if (confirmed.length >= wait.count) wait.resolve();
  });
  return {
    process: child,
    confirmed,
    reached: (wanted) =>
      new Promise((resolve) => {
        waits.push({ count: wanted, resolve });
        if (confirmed.length >= wanted) resolve();
      }),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}

async function expectWhole(db: SessionDatabase, confirmed: readonly string[]): Promise<void> {
  expect(await db.check()).toMatchObject({ ok: true, problems: [] });
  const messages = await db.transcript.read('s1');
  const ids = new Set(messages.map(({ id }) => id));
  expect(confirmed.filter((id) => !ids.has(id))).toEqual([]);
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1));
  const facts = await db.transcript.facts('s1', 0, 1_000_000);
  expect(facts.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1));
}

async function newDatabase(name: string): Promise<string> {
  const path = join(folder, name);
  const db = await openSessionDatabase(path);
  await db.sessions.create(sampleSession('s1'), { system: [], tools: [] });
  await db.close();
  return path;
}

describe('several processes at once', () => {
  it('lose nothing and number without gaps', async () => {
    const path = await newDatabase('shared.db');
    const writers = ['a', 'b', 'c'].map((name) => startWriter(path, name, 60));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    const db = await openSessionDatabase(path);
    const confirmed = writers.flatMap((writer) => writer.confirmed);
    expect(confirmed).toHaveLength(180);
    await expectWhole(db, confirmed);
    await db.close();
  });

  it('keep every confirmed write when they are killed in the middle', async () => {
    const path = await newDatabase('killed.db');
    const confirmed: string[] = [];
    for (let round = 0; round < 4; round++) {
      const writers = [`x${round}`, `y${round}`].map((name) => startWriter(path, name, 1_000_000));
      await Promise.all(writers.map(({ reached }, at) => reached(3 + round * 20 + at)));
      for (const writer of writers) writer.process.kill('SIGKILL');
      await Promise.all(writers.map(({ ended }) => ended));
      confirmed.push(...writers.flatMap((writer) => writer.confirmed));
      const db = await openSessionDatabase(path);
      await expectWhole(db, confirmed);
      await db.close();
    }
    expect(confirmed.length).toBeGreaterThan(100);
  }, 60_000);

  it('make a new file together', async () => {
    const path = join(folder, 'new.db');
    const opened = await Promise.all(Array.from({ length: 4 }, () => openSessionDatabase(path)));
    expect(await opened[0]?.check()).toMatchObject({ ok: true });
    await Promise.all(opened.map((db) => db.close()));
  });
});

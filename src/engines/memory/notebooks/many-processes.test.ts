import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { notebookFiles, openMemoryDatabase } from '#adapters/store';
import { openNotebooks } from './open-notebooks.ts';

const WRITERS = 4;
const EACH = 6;

/** One of several processes that write into the same notebook. */
const SCRIPT = `
  import { notebookFiles, openMemoryDatabase } from '#adapters/store';
  import { openNotebooks } from '#engines/memory';
  const [, root, writer, count] = process.argv;
  const { store, close } = await openMemoryDatabase(root + '/memory.db');
  const notebooks = openNotebooks({ files: notebookFiles(root), store, now: Date.now });
  const view = { audience: { source: 'cli', user: 'me', chat: 'terminal' }, shared: false };
  for (let at = 0; at < Number(count); at++) {
    const text = 'writer ' + writer + ' entry ' + at + ' and more'.repeat(20);
    const { outcome } = await notebooks.add(view, 'memory', text);
    if (outcome.kind !== 'added') throw new Error(outcome.kind);
  }
  await close();
`;

async function write(root: string, writer: number): Promise<{ code: number; said: string }> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', SCRIPT, root, String(writer), String(EACH)],
    {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const [code] = (await once(child, 'exit')) as [number];
  return { code, said };
}

it('loses no entry of several processes that write more than fits at once', async () => {
  const root = await mkdtemp(join(tmpdir(), 'notebooks-'));
  try {
    const ends = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(root, writer)));
    for (const { code, said } of ends) expect(code, said).toBe(0);
    const { store, close } = await openMemoryDatabase(join(root, 'memory.db'));
    const view = { audience: { source: 'cli', user: 'me', chat: 'terminal' }, shared: false };
    const { entries } = await openNotebooks({ files: notebookFiles(root), store, now: Date.now }).read(
      view,
      'memory',
    );
    const archived = await store.list({ kinds: ['archive'], limit: 100 });
    await close();
    const name = (text: string) => text.slice(0, 'writer 0 entry 0'.length);
    const kept = [...entries, ...archived.map(({ text }) => text)].map(name);
    expect(kept).toHaveLength(WRITERS * EACH);
    expect(new Set(kept).size).toBe(WRITERS * EACH);
    expect(archived.length).toBeGreaterThan(0);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}, 60_000);

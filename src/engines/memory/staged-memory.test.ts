import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as adapters from '#adapters/store';
import { LIN, type MemoryHome, memoryHome } from '#support/engines/memory/memory-home';
import { memoryWriter } from './memory-writer.ts';
import { openNotebooks } from './notebooks/open-notebooks.ts';
import { approveStaged } from './staged-memory.ts';

let home: MemoryHome;
beforeEach(async () => {
  home = await memoryHome(adapters);
});
afterEach(() => home.close());

const deps = () => ({
  ...home.database,
  notebooks: home.notebooks,
  memory: home.memory,
  view: LIN,
  now: () => home.clock,
  language: 'en' as const,
  why: 'test',
});
const waiting = () => home.database.staged.list(['person/telegram/lin']);
const entries = async () => (await home.notebooks.read(LIN, 'memory')).entries;

describe('a write that waits', () => {
  it('is shown whole: nothing is agreed to unseen', async () => {
    const writer = memoryWriter(deps());
    const end = 'and the last word is zebra';
    const content = `the pool of payment-service is 40 ${'as agreed '.repeat(40)}\n${end}`;
    await writer.notebook({ action: 'add', target: 'memory', content });
    await writer.entry({ kind: 'lesson', text: content, provenance: { by: 'review' } });
    const shown = (await waiting()).map((write) => write.shown);
    expect(shown).toHaveLength(2);
    for (const text of shown) expect(text).toContain(end);
  });

  it('names the whole entry that it changes, and changes no other one', async () => {
    await home.notebooks.add(LIN, 'memory', 'deploys are frozen in December, ask Lin');
    const writer = memoryWriter(deps());
    await writer.notebook({ action: 'remove', target: 'memory', old_text: 'deploys' });
    const [write] = await waiting();
    expect(write?.shown).toBe('MEMORY.md - deploys are frozen in December, ask Lin');
    await home.notebooks.replace(LIN, 'memory', 'deploys', 'deploys go through the pipeline');
    expect(await approveStaged(deps(), write?.id ?? '')).toMatchObject({ ok: false });
    expect(await entries()).toEqual(['deploys go through the pipeline']);
    expect(await waiting()).toHaveLength(1);
  });

  it('bothers nobody when it cannot be made', async () => {
    const writer = memoryWriter(deps());
    const edits = [
      { action: 'remove', target: 'memory', old_text: 'nothing says this' },
      { action: 'add', target: 'memory', content: 'long '.repeat(600) },
      { action: 'add', target: 'memory', content: 'password=hunter2' },
    ] as const;
    for (const edit of edits) expect(await writer.notebook(edit)).toMatchObject({ ok: false, staged: false });
    expect(await waiting()).toEqual([]);
  });

  it('holds no key of the profile, and neither does a notebook', async () => {
    const secrets = ['correct-horse-battery'];
    const content = 'the vault opens with correct-horse-battery';
    const writer = memoryWriter({ ...deps(), secrets });
    const edit = { action: 'add', target: 'memory', content } as const;
    expect(await writer.notebook(edit)).toMatchObject({ ok: false });
    const telling = { kind: 'lesson', text: content, provenance: { by: 'review' } } as const;
    expect(await writer.entry(telling)).toMatchObject({ ok: false });
    expect(await waiting()).toEqual([]);
    const { files, database } = home;
    const notebooks = openNotebooks({ files, store: database.store, now: () => home.clock, secrets });
    expect(await notebooks.add(LIN, 'memory', content)).toMatchObject({ outcome: { kind: 'refused' } });
  });

  it('goes on waiting when making it fails, and is made once', async () => {
    const writer = memoryWriter(deps());
    await writer.notebook({ action: 'add', target: 'memory', content: 'pool is 20' });
    const [write] = await waiting();
    const id = write?.id ?? '';
    const full = { ...home.notebooks, add: () => Promise.reject(new Error('no space left on device')) };
    await expect(approveStaged({ ...deps(), notebooks: full }, id)).rejects.toThrow('no space');
    expect(await waiting()).toHaveLength(1);
    expect(await approveStaged(deps(), id)).toMatchObject({ ok: true });
    expect(await entries()).toEqual(['pool is 20']);
    expect(await waiting()).toEqual([]);
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { notebookFiles } from './notebook-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-notebooks-'));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const newRoot = () => join(folder, String(made++), 'memories');

describe('notebookFiles', () => {
  it('reads, changes and removes files for their owner alone', async () => {
    const root = newRoot();
    const files = notebookFiles(root);
    expect(await files.read('', 'MEMORY.md')).toBeUndefined();
    expect(await files.folders()).toEqual([]);
    expect(await files.edit('', 'MEMORY.md', (text) => `${text}one\n`)).toBe('one\n');
    expect(await files.edit('', 'MEMORY.md', async (text) => `${text}two\n`)).toBe('one\ntwo\n');
    expect(statSync(join(root, 'MEMORY.md')).mode & 0o777).toBe(0o600);
    expect(await files.edit('', 'MEMORY.md', () => undefined)).toBe('one\ntwo\n');
    expect(await files.edit('', 'MEMORY.md', () => '')).toBe('');
    expect(await files.read('', 'MEMORY.md')).toBeUndefined();
    expect(readdirSync(root)).toEqual([]);
  });

  it('changes nothing in a file of another encoding', async () => {
    const root = newRoot();
    const files = notebookFiles(root);
    await files.edit('', 'MEMORY.md', () => 'a \ufffd that was typed');
    expect(await files.edit('', 'MEMORY.md', (text) => `${text}, twice`)).toContain('twice');
    const bytes = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]);
    writeFileSync(join(root, 'MEMORY.md'), bytes);
    let asked = false;
    const edit = files.edit('', 'MEMORY.md', (text) => {
      asked = true;
      return `${text}more`;
    });
    await expect(edit).rejects.toThrow('not UTF-8');
    expect(asked).toBe(false);
    expect(readFileSync(join(root, 'MEMORY.md'))).toEqual(bytes);
  });

  it('leaves the file as it is when the change fails', async () => {
    const files = notebookFiles(newRoot());
    await files.edit('', 'USER.md', () => 'kept');
    const failing = files.edit('', 'USER.md', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await files.edit('', 'USER.md', () => undefined)).toBe('kept');
  });

  it('loses no line of several that write at once', async () => {
    const root = newRoot();
    const writers = [notebookFiles(root), notebookFiles(root)];
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (writers[at % 2] ?? notebookFiles(root)).edit(
          'slack/people/u1',
          'USER.md',
          (text) => `${text}${at}\n`,
        ),
      ),
    );
    const lines = (await notebookFiles(root).read('slack/people/u1', 'USER.md'))?.trim().split('\n') ?? [];
    expect(lines.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  it('tells the folders that have notebooks', async () => {
    const root = newRoot();
    const files = notebookFiles(root);
    for (const at of ['', 'slack/people/u1', 'slack/chats/c1']) await files.edit(at, 'MEMORY.md', () => 'x');
    writeFileSync(join(root, 'slack', '.hidden'), 'x');
    writeFileSync(join(root, 'slack', 'MEMORY.md.lock'), 'x');
    expect(await files.folders()).toEqual(['', 'slack/chats/c1', 'slack/people/u1']);
  });

  it.each([
    ['..', 'MEMORY.md'],
    ['a/../..', 'MEMORY.md'],
    ['/etc', 'MEMORY.md'],
    ['a\\b', 'MEMORY.md'],
    ['', '../MEMORY.md'],
    ['', 'a/MEMORY.md'],
    ['', '..'],
    ['', ''],
    ['', 'a\0b'],
  ])('refuses the folder %j with the name %j', async (where, name) => {
    const files = notebookFiles(newRoot());
    await expect(files.read(where, name)).rejects.toMatchObject({ record: { code: 'input.invalid' } });
    await expect(files.edit(where, name, () => 'x')).rejects.toMatchObject({
      record: { code: 'input.invalid' },
    });
  });
});

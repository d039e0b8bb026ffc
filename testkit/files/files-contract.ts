import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '#spec/ports';

export interface FilesUnderTest {
  /** Opened on a workspace that is empty. */
  readonly files: Files;
  close(): Promise<void>;
}

/** What every implementation of `Files` must do. */
export function filesContract(name: string, open: () => Promise<FilesUnderTest>): void {
  let opened: FilesUnderTest;
  let files: Files;
  const { signal } = new AbortController();
  const put = (path: string, text: string) => files.write(path, Buffer.from(text));
  const text = async (path: string) => Buffer.from(await files.read(path)).toString('utf8');
  const refused = { record: { code: 'tool.refused' } };

  describe(`${name}: the contract of Files`, () => {
    beforeEach(async () => {
      opened = await open();
      files = opened.files;
    });
    afterEach(() => opened.close());

    it('reads back what was written, byte for byte, making folders', async () => {
      const bytes = Uint8Array.from({ length: 512 }, (_, at) => at % 256);
      await files.write('a/b/c.bin', bytes);
      expect(Buffer.from(await files.read('a/b/c.bin'))).toEqual(Buffer.from(bytes));
      expect(await files.stat('a/b/c.bin')).toMatchObject({ kind: 'file', size: 512 });
      expect(await files.stat('a/b')).toMatchObject({ kind: 'folder' });
    });

    it('replaces a file as a whole', async () => {
      await put('f.txt', 'a long first text');
      await put('f.txt', '短い 🙂');
      expect(await text('f.txt')).toBe('短い 🙂');
      await put('f.txt', '');
      expect(await text('f.txt')).toBe('');
    });

    it('takes absolute paths of the workspace', async () => {
      await put(`${files.root}/f.txt`, 'x');
      expect(await text('f.txt')).toBe('x');
      expect(await text(`${files.root}/./sub/../f.txt`)).toBe('x');
    });

    it('tells a missing file from one that is there', async () => {
      expect(await files.stat('missing')).toBeUndefined();
      await expect(files.read('missing')).rejects.toMatchObject({ record: { code: 'tool.failed' } });
      await put('file', 'x');
      expect(await files.stat('file/below')).toBeUndefined();
      await expect(put('file/below', 'x')).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    });

    it.each([
      '../outside.txt',
      '/hermes-outside.txt',
      'a/../../outside.txt',
      '.',
      '',
      '.git/config',
      'a/.git/hooks/x',
    ])('refuses to write %j', async (path) => {
      await expect(put(path, 'x')).rejects.toMatchObject(refused);
    });

    it.each(['.ssh/id_ed25519', 'x/.aws/credentials', 'home/.netrc', '/proc/self/environ'])(
      'refuses to read or stat %s',
      async (path) => {
        await expect(files.read(path)).rejects.toMatchObject(refused);
        await expect(files.stat(path)).rejects.toMatchObject(refused);
      },
    );

    it('finds names by glob: files, folders, at any depth or a given one', async () => {
      for (const path of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/d.md']) await put(path, 'x');
      const find = (glob: string) => files.find(glob, 100, signal);
      expect(await find('*.ts')).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.ts']);
      expect(await find('src/*')).toEqual(['src/b.ts', 'src/d.md', 'src/deep/']);
      expect(await find('**/*.{ts,md}')).toEqual(['a.ts', 'src/b.ts', 'src/d.md', 'src/deep/c.ts']);
      expect(await find('deep')).toEqual(['src/deep/']);
      expect(await find('nothing-*')).toEqual([]);
      expect(await files.find('*.ts', 2, signal)).toHaveLength(2);
    });

    it('leaves out what git ignores, and what is hidden unless it is named', async () => {
      await put('.gitignore', 'ignored/\n*.log\n');
      for (const path of ['kept.txt', 'x.log', 'ignored/y.txt', '.github/ci.yml']) await put(path, 'needle');
      expect(await files.find('**', 100, signal)).toEqual(['kept.txt']);
      expect(await files.find('.github/*', 100, signal)).toEqual(['.github/ci.yml']);
      const found = await files.search({ pattern: 'needle', limit: 100 }, signal);
      expect(found.map(({ path }) => path)).toEqual(['kept.txt']);
    });

    it('searches text: expressions, plain text, case, globs, context', async () => {
      await put('a.txt', 'one\nTwo (2)\nthree\n');
      await put('sub/b.md', 'two\r\n连接池 two\r\n');
      const search = (more: object) => files.search({ pattern: 't[wv]o', limit: 100, ...more }, signal);
      expect(await search({})).toEqual([
        { path: 'sub/b.md', line: 1, text: 'two', matched: true },
        { path: 'sub/b.md', line: 2, text: '连接池 two', matched: true },
      ]);
      expect(await search({ ignoreCase: true, path: 'a.txt', context: 1 })).toEqual([
        { path: 'a.txt', line: 1, text: 'one', matched: false },
        { path: 'a.txt', line: 2, text: 'Two (2)', matched: true },
        { path: 'a.txt', line: 3, text: 'three', matched: false },
      ]);
      expect(await search({ pattern: '(2)', literal: true })).toHaveLength(1);
      expect(await search({ pattern: '-e', literal: true })).toEqual([]);
      expect(await search({ ignoreCase: true, glob: '*.txt' })).toHaveLength(1);
      expect(await search({ path: 'sub', glob: 'sub/*.md' })).toHaveLength(2);
    });

    it('says what is wrong with an expression, and that a place is missing', async () => {
      await put('a.txt', 'x');
      const failed = { record: { code: 'tool.failed' } };
      await expect(files.search({ pattern: '(', limit: 5 }, signal)).rejects.toMatchObject(failed);
      await expect(files.search({ pattern: 'x', path: 'no', limit: 5 }, signal)).rejects.toMatchObject(
        failed,
      );
    });

    it('stops at the limit, and when it is told to', async () => {
      await put('many.txt', 'match\n'.repeat(500));
      expect(await files.search({ pattern: 'match', limit: 7 }, signal)).toHaveLength(7);
      const reason = new Error('enough');
      await expect(files.search({ pattern: 'match', limit: 7 }, AbortSignal.abort(reason))).rejects.toBe(
        reason,
      );
      await expect(files.find('*', 7, AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
}

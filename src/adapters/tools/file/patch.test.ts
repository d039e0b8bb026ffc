import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files, ToolResult } from '#spec/ports';
import { portOnly, type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { localFiles } from '../local-files.ts';
import { tool } from './patch.ts';

let workspace: TemporaryWorkspace;
let files: Files;
beforeEach(async () => {
  workspace = await temporaryWorkspace();
  files = localFiles({ root: workspace.root, protectedPaths: [] });
});
afterEach(() => workspace.close());

const run = (input: object): Promise<ToolResult> => tool.run(tool.input.parse(input), toolContext({ files }));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('patch, replacing text', () => {
  it('changes the file and shows the difference', async () => {
    await workspace.put('src/x.ts', 'one\ntwo\nthree\n');
    const result = await run({ path: 'src/x.ts', old: 'two', new: 'zwei\nund mehr' });
    expect(await workspace.text('src/x.ts')).toBe('one\nzwei\nund mehr\nthree\n');
    expect(result.summary).toBe('+2 −1 src/x.ts');
    expect(textOf(result)).toBe(
      '--- src/x.ts\n+++ src/x.ts\n@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+und mehr\n three',
    );
  });

  it('puts no mark of a hidden secret where the secret stands, in either form', async () => {
    const before = 'a: 1\ntoken: the-real-one\n';
    await workspace.put('f', before);
    const asked = [
      { path: 'f', old: 'token: the-real-one', new: 'token: [secret:TOKEN]' },
      { patch: '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a: 1\n-token: the-real-one\n+token: [secret:TOKEN]\n' },
    ];
    for (const input of asked) {
      const result = await run(input);
      expect(result).toMatchObject({ isError: true });
      expect(textOf(result)).toContain('[secret:TOKEN] would stand where a secret belongs');
      expect(await workspace.text('f')).toBe(before);
    }
    await workspace.put('page', 'It reads [secret:TOKEN].\n');
    const moved =
      '*** Begin Patch\n*** Update File: page\n*** Move to: other\n@@\n-It reads [secret:TOKEN].\n+It says [secret:TOKEN].\n*** End Patch';
    expect((await run({ patch: moved })).isError).toBeUndefined();
    expect(await workspace.text('other')).toBe('It says [secret:TOKEN].\n');
  });

  it.each([
    ['CRLF', 'a\r\nb\r\nc', 'a\r\nB\r\nB2\r\nc'],
    ['mixed endings', 'a\r\nb\nc\r\n', 'a\r\nB\r\nB2\r\nc\r\n'],
    ['a mark at the start', '\ufeffa\nb\n', '\ufeffa\nB\nB2\n'],
  ])('keeps %s', async (_, before, after) => {
    await workspace.put('f', before);
    const old = before.includes('c') ? 'b\nc' : 'b';
    await run({ path: 'f', old, new: old.replace('b', 'B\nB2') });
    expect(await workspace.text('f')).toBe(after);
  });

  it('keeps UTF-16', async () => {
    await workspace.put('f', Buffer.from('\ufeffa 连\r\n', 'utf16le'));
    await run({ path: 'f', old: '连', new: '接' });
    expect(Buffer.from(await files.read('f'))).toEqual(Buffer.from('\ufeffa 接\r\n', 'utf16le'));
  });

  it('tells how it was found when not exactly, and what stands in the way', async () => {
    await workspace.put('f', '  a  \n  b\n');
    expect(textOf(await run({ path: 'f', old: 'a\nb', new: 'c' }))).toContain(
      '[matched with differences in indentation]',
    );
    await workspace.put('f', 'x\nx\n');
    expect(await run({ path: 'f', old: 'x', new: 'y' })).toMatchObject({ isError: true });
    expect(await run({ path: 'f', old: 'nothing', new: 'y' })).toMatchObject({ isError: true });
    expect(await run({ path: 'ff', old: 'x', new: 'y' })).toMatchObject({
      isError: true,
      summary: 'There is no file ff.',
    });
    expect((await run({ path: 'f', old: 'x', new: 'x', all: true })).isError).toBeUndefined();
    expect(await workspace.text('f')).toBe('x\nx\n');
    await workspace.put('bin', Buffer.from([0xff, 0x80, 0x41]));
    expect(await run({ path: 'bin', old: 'A', new: 'B' })).toMatchObject({ isError: true });
  });

  it('does not write over what someone else wrote meanwhile', async () => {
    await workspace.put('f', 'mine\n');
    const real = files;
    files = {
      ...files,
      async read(path) {
        const bytes = await real.read(path);
        await writeFile(join(workspace.root, 'f'), 'theirs mine\n');
        return bytes;
      },
    };
    await expect(run({ path: 'f', old: 'mine', new: 'x' })).rejects.toThrow(/changed by someone else/);
    files = portOnly(files);
    await workspace.put('f', 'mine\n');
    await expect(run({ path: 'f', old: 'mine', new: 'x' })).rejects.toThrow(/changed by someone else/);
    expect(await workspace.text('f')).toBe('theirs mine\n');
  });

  it('takes one form or the other', () => {
    const valid = (input: object) => tool.input.safeParse(input).success;
    expect(valid({ path: 'f', old: 'a', new: '' })).toBe(true);
    expect(valid({ patch: '--- a\n+++ b\n' })).toBe(true);
    for (const input of [{}, { path: 'f' }, { path: 'f', old: 'a' }, { patch: 'p', old: 'a', new: 'b' }])
      expect(valid(input), JSON.stringify(input)).toBe(false);
    expect(tool.effect({ patch: '' })).toBe(2);
    expect(tool.footprint?.({ path: 'f', old: 'a', new: 'b' })).toEqual({ writes: ['f'] });
    expect(
      tool.footprint?.({
        patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- y\n+++ z\n@@ -1 +1 @@\n-a\n+b\n',
      }),
    ).toEqual({
      writes: ['x', 'y', 'z'],
    });
    expect(tool.footprint?.({ patch: 'nonsense' })).toBeUndefined();
  });
});

describe('patch, applying a patch', () => {
  const V4A = [
    '*** Begin Patch',
    '*** Add File: new/n.txt',
    '+neu',
    '*** Update File: a.txt',
    '@@',
    '-a',
    '+A',
    '*** Update File: move.txt',
    '*** Move to: moved.txt',
    '@@',
    ' m',
    '+n',
    '*** Delete File: gone.txt',
    '*** End Patch',
  ].join('\n');

  it('adds, changes, moves and deletes', async () => {
    for (const [path, text] of [
      ['a.txt', 'a\r\n'],
      ['move.txt', 'm\n'],
      ['gone.txt', 'g\n'],
    ] as const)
      await workspace.put(path, text);
    const result = await run({ patch: V4A });
    expect(result.isError).toBeUndefined();
    expect((await readdir(workspace.root)).sort()).toEqual(['a.txt', 'moved.txt', 'new']);
    expect(await workspace.text('a.txt')).toBe('A\r\n');
    expect(await workspace.text('moved.txt')).toBe('m\nn\n');
    expect(await workspace.text('new/n.txt')).toBe('neu\n');
    expect(result.summary).toBe(
      '+1 −0 new/n.txt, +1 −1 a.txt, +0 −1 move.txt, +2 −0 moved.txt, +0 −1 gone.txt',
    );
    expect(textOf(result)).toContain('--- gone.txt\n+++ /dev/null');
  });

  it('writes nothing unless every hunk applies', async () => {
    await workspace.put('a.txt', 'other\n');
    await workspace.put('move.txt', 'm\n');
    const result = await run({ patch: V4A });
    expect(result).toMatchObject({ isError: true, summary: 'Nothing was written.' });
    expect(textOf(result)).toContain('a.txt: the hunk does not apply');
    expect(textOf(result)).toContain('gone.txt: there is no such file');
    expect((await readdir(workspace.root)).sort()).toEqual(['a.txt', 'move.txt']);
  });

  it('puts back what it wrote when a later file cannot be written', async () => {
    await workspace.put('a.txt', 'a\n');
    await workspace.put('.git/config', 'c\n');
    const patch =
      '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-a\n+b\n--- .git/config\n+++ .git/config\n@@ -1 +1 @@\n-c\n+d\n';
    await expect(run({ patch })).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    expect(await workspace.text('a.txt')).toBe('a\n');
  });

  it('takes several sections for one file, and a git diff of several', async () => {
    await workspace.put('a.txt', 'a\nb\n');
    await workspace.put('b.txt', 'b\n');
    const patch =
      'diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+A\n' +
      'diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n' +
      'diff --git a/c.txt b/c.txt\nnew file mode 100644\n--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n\\ No newline at end of file\n' +
      '--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-b\n+B\n';
    expect((await run({ patch })).isError).toBeUndefined();
    expect(await workspace.text('a.txt')).toBe('A\nB\n');
    expect(await workspace.text('c.txt')).toBe('c');
    expect((await readdir(workspace.root)).sort()).toEqual(['a.txt', 'c.txt']);
  });

  it('says that something is no patch', async () => {
    expect(await run({ patch: 'please change it' })).toMatchObject({ isError: true });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '#spec/ports';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { localFiles } from '../local-files.ts';
import { tool } from './search-files.ts';

let workspace: TemporaryWorkspace;
beforeEach(async () => {
  workspace = await temporaryWorkspace();
});
afterEach(() => workspace.close());

const search = (input: object, signal?: AbortSignal): Promise<ToolResult> =>
  tool.run(
    tool.input.parse(input),
    toolContext({
      files: localFiles({ root: workspace.root, protectedPaths: [] }),
      ...(signal ? { signal } : {}),
    }),
  );
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('search_files', () => {
  it('groups matches by file, with line numbers and context', async () => {
    await workspace.put('a.ts', 'one\npool\nthree\nfour\nfive\npool 池\n');
    await workspace.put('b/c.ts', 'pool\u202e\n');
    const result = await search({ pattern: 'pool' });
    expect(textOf(result)).toBe('a.ts\n  2: pool\n  6: pool 池\nb/c.ts\n  1: pool⟪U+202E⟫');
    expect(result.summary).toBe('3 matches in 2 files');
    expect(textOf(await search({ pattern: 'pool', path: 'a.ts', context: 1 }))).toBe(
      'a.ts\n  1- one\n  2: pool\n  3- three\n  --\n  5- five\n  6: pool 池',
    );
  });

  it('counts what it does not show', async () => {
    await workspace.put('big.log', 'error here\n'.repeat(10_000));
    await workspace.put('small.log', 'error\nerror\n');
    const result = await search({ pattern: 'error', glob: '*.log', limit: 3 });
    expect(textOf(result).split('\n').slice(0, 4)).toEqual([
      'big.log',
      '  1: error here',
      '  2: error here',
      '  3: error here',
    ]);
    expect(textOf(result)).toContain('at least 10,000 matches in 1 file; 3 shown. Not shown: big.log (9997)');
    expect(textOf(await search({ pattern: 'error', path: 'small.log', limit: 1 }))).toContain(
      '[2 matches in 1 file; 1 shown. Not shown: small.log (1)]',
    );
  });

  it('keeps within its size', async () => {
    await workspace.put('wide.txt', `${'x'.repeat(900)}\n`.repeat(1_000));
    const text = textOf(await search({ pattern: 'x', limit: 1_000 }));
    expect(text.length).toBeLessThan(tool.maxChars ?? 0);
    expect(text).toContain('1,000 matches in 1 file');
  });

  it('takes plain text, case and globs', async () => {
    await workspace.put('a.ts', 'f(x)\nF(X)\n');
    await workspace.put('a.md', 'f(x)\n');
    expect((await search({ pattern: 'f(x)', literal: true })).summary).toBe('2 matches in 2 files');
    expect((await search({ pattern: 'f(x)', literal: true, ignore_case: true, glob: '*.ts' })).summary).toBe(
      '2 matches in 1 file',
    );
    expect(textOf(await search({ pattern: 'nowhere' }))).toBe('Nothing matches.');
  });

  it('finds names, below a folder too', async () => {
    for (const path of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/deep/d.md']) await workspace.put(path, 'x');
    const names = async (input: object) => textOf(await search({ target: 'names', ...input })).split('\n');
    expect(await names({ pattern: '*.ts' })).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(await names({ pattern: '*.ts', path: 'src' })).toEqual(['src/b.ts', 'src/deep/c.ts']);
    expect(await names({ pattern: 'deep/*', path: 'src/' })).toEqual(['src/deep/c.ts', 'src/deep/d.md']);
    expect(await names({ pattern: '*.ts', limit: 1 })).toEqual(['a.ts', '[3 names; 1 shown]']);
    expect(await names({ pattern: '*.zig' })).toEqual(['No file has such a name.']);
  });

  it('stops when it is told to, and only reads', async () => {
    const reason = new Error('stop');
    await expect(search({ pattern: 'x' }, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(tool.effect({ pattern: 'x' })).toBe(0);
    expect(tool.footprint?.({ pattern: 'x' })).toEqual({ reads: ['.'] });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { redact } from '#kit/redact';
import type { ToolResult } from '#spec/ports';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { localFiles } from '../local-files.ts';
import { tool } from './write-file.ts';

let workspace: TemporaryWorkspace;
beforeEach(async () => {
  workspace = await temporaryWorkspace();
});
afterEach(() => workspace.close());

const write = (path: string, content: string): Promise<ToolResult> =>
  tool.run(
    { path, content },
    toolContext({ files: localFiles({ root: workspace.root, protectedPaths: [] }) }),
  );
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('write_file', () => {
  it('makes a file, and shows what is in it', async () => {
    const result = await write('deep/new.txt', '一\ntwo\n');
    expect(await workspace.text('deep/new.txt')).toBe('一\ntwo\n');
    expect(result.summary).toBe('+2 −0 deep/new.txt');
    expect(textOf(result)).toContain(
      'Made deep/new.txt\n--- /dev/null\n+++ deep/new.txt\n@@ -0,0 +1,2 @@\n+一\n+two',
    );
  });

  it('replaces a file, keeping line endings and the mark at its start', async () => {
    await workspace.put('f', '\ufeffa\r\nb\r\n');
    const result = await write('f', 'a\nc\n');
    expect(await workspace.text('f')).toBe('\ufeffa\r\nc\r\n');
    expect(result.summary).toBe('+1 −1 f');
    expect(await write('f', 'a\r\nd\r\n')).toMatchObject({ summary: '+1 −1 f' });
    expect(await workspace.text('f')).toBe('\ufeffa\r\nd\r\n');
  });

  it('writes nothing when nothing changes', async () => {
    await workspace.put('f', 'a\r\n');
    const result = await write('f', 'a\n');
    expect(result).toMatchObject({ summary: 'unchanged f' });
    expect(result.isError).toBeUndefined();
  });

  it('puts no mark of a hidden secret where the secret stands', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const before = `host: db\ntoken: ${secret}\n`;
    await workspace.put('f', before);
    const shown = redact(before);
    expect(shown).not.toContain(secret);
    const result = await write('f', shown.replace('db', 'db-2'));
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/\[secret:[\w-]+\] would stand where a secret belongs/);
    expect(await workspace.text('f')).toBe(before);
    expect(await write('new', shown)).toMatchObject({ isError: true });
    // A page that tells of marks may be changed; a second one beside it is not taken on trust.
    const page = 'A secret is shown as [secret:NAME].\n';
    await workspace.put('page', page);
    expect((await write('page', `${page}Nobody reads it.\n`)).isError).toBeUndefined();
    expect(await write('page', `${page}token: [secret:NAME]\n`)).toMatchObject({ isError: true });
  });

  it('bounds the diff', async () => {
    const text = textOf(await write('f', 'some line\n'.repeat(50_000)));
    expect(text.length).toBeLessThan(9_000);
    expect(text).toMatch(/\[[\d,]+ more lines of the diff not shown\]$/);
  });

  it('refuses what lies outside, and folders', async () => {
    await expect(write('../x', 'y')).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    await workspace.put('d/f', 'x');
    expect(await write('d', 'x')).toMatchObject({ isError: true });
    expect(tool.effect({ path: 'f', content: '' })).toBe(2);
    expect(tool.footprint?.({ path: 'f', content: '' })).toEqual({ writes: ['f'] });
  });
});

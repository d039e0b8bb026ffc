import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files, ToolResult } from '#spec/ports';
import { portOnly, type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { localFiles } from '../local-files.ts';
import { tool } from './read-file.ts';

let workspace: TemporaryWorkspace;
let files: Files;
beforeEach(async () => {
  workspace = await temporaryWorkspace();
  files = localFiles({ root: workspace.root, protectedPaths: [] });
});
afterEach(() => workspace.close());

const read = (input: object): Promise<ToolResult> =>
  tool.run(tool.input.parse(input), toolContext({ files }));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : part.type)).join('|');
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

describe('read_file', () => {
  it('numbers the lines, with or without a last line break', async () => {
    await workspace.put('a.txt', 'one\n\n连接池 🙂');
    expect(textOf(await read({ path: 'a.txt' }))).toBe('    1\tone\n    2\t\n    3\t连接池 🙂');
    await workspace.put('b.txt', 'one\r\ntwo\r\n');
    const result = await read({ path: 'b.txt' });
    expect(textOf(result)).toBe('    1\tone\n    2\ttwo');
    expect(result.summary).toBe('2 lines');
  });

  it('gives the last lines', async () => {
    await workspace.put('n.txt', numbers(30));
    const result = await read({ path: 'n.txt', offset: -2 });
    expect(textOf(result)).toBe('   29\tline 29\n   30\tline 30');
    expect(result.summary).toBe('lines 29–30 of 30 lines');
    expect((await read({ path: 'n.txt', offset: -99 })).summary).toBe('30 lines');
    await workspace.put('empty.txt', '');
    expect(await read({ path: 'empty.txt', offset: -5 })).toMatchObject({ summary: 'empty file' });
    expect(() => tool.input.parse({ path: 'n.txt', offset: 0 })).toThrow('lines count from 1');
  });

  it('gives a part, and says how to go on', async () => {
    await workspace.put('n.txt', numbers(30));
    const result = await read({ path: 'n.txt', offset: 11, limit: 2 });
    expect(textOf(result)).toBe(
      '   11\tline 11\n   12\tline 12\n[lines 11–12 of 30 lines; go on with offset=13]',
    );
    expect(textOf(await read({ path: 'n.txt', offset: 30 }))).toBe('   30\tline 30');
    expect(await read({ path: 'n.txt', offset: 31 })).toMatchObject({ isError: true });
    await workspace.put('many.txt', numbers(5_000));
    expect(textOf(await read({ path: 'many.txt' }))).toContain(
      '[lines 1–2000 of 5,000 lines; go on with offset=2001]',
    );
  });

  it('cuts long lines, and the whole at 100,000 characters', async () => {
    await workspace.put('long.txt', `${'x'.repeat(1_999)}🙂${'y'.repeat(500_000)}\nend\n`);
    const text = textOf(await read({ path: 'long.txt' }));
    expect(text).toMatch(/^ {4}1\tx{1999}… \[500001 more characters\]\n {4}2\tend$/);
    await workspace.put('wide.txt', `${'w'.repeat(1_500)}\n`.repeat(200));
    const wide = textOf(await read({ path: 'wide.txt' }));
    expect(wide.length).toBeLessThan(100_200);
    const [, next] = /go on with offset=(\d+)/.exec(wide) ?? [];
    expect(textOf(await read({ path: 'wide.txt', offset: Number(next) }))).toMatch(
      new RegExp(`^ *${next}\t`),
    );
  });

  it('reads a huge file in parts, not as a whole', async () => {
    await workspace.put('huge.log', numbers(20_000));
    const handle = await open(join(workspace.root, 'huge.log'), 'r+');
    await handle.truncate(200 * 1024 * 1024);
    await handle.close();
    let asked = 0;
    const real = localFiles({ root: workspace.root, protectedPaths: [] });
    const counting: typeof real = {
      ...real,
      read: () => Promise.reject(new Error('read as a whole')),
      readPart(path, start, length) {
        asked += length;
        return real.readPart(path, start, length);
      },
    };
    files = counting;
    const result = await read({ path: 'huge.log', offset: 100, limit: 3 });
    expect(textOf(result)).toMatch(/^ {2}100\tline 100\n/);
    expect(textOf(result)).toContain('[lines 100–102 of more than');
    expect(asked).toBeLessThan(20 * 1024 * 1024);
  });

  it('shows what cannot be seen, and leaves emoji whole', async () => {
    await workspace.put('t.txt', '\ufeffa\u202eb\u200bc\u001b[31m \u{e0041} 👨‍👩‍👧 ❤️ x\u200dy');
    expect(textOf(await read({ path: 't.txt' }))).toBe(
      '    1\ta⟪U+202E⟫b⟪U+200B⟫c⟪U+001B⟫[31m ⟪U+E0041⟫ 👨‍👩‍👧 ❤️ x⟪U+200D⟫y',
    );
  });

  it('reads UTF-16, and says when something is no text', async () => {
    await workspace.put('le.txt', Buffer.from('\ufeffzwei\r\n连接', 'utf16le'));
    expect(textOf(await read({ path: 'le.txt' }))).toBe('    1\tzwei\n    2\t连接');
    await workspace.put('be.txt', Buffer.from('\ufeffab\n', 'utf16le').swap16());
    expect(textOf(await read({ path: 'be.txt' }))).toBe('    1\tab');
    await workspace.put('bare.txt', Buffer.from('plain ascii text\n', 'utf16le'));
    expect(textOf(await read({ path: 'bare.txt' }))).toBe('    1\tplain ascii text');
    await workspace.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    expect(textOf(await read({ path: 'latin.txt' }))).toContain('not all of it is valid text');
  });

  it('gives images as images, and refuses other binaries with size and kind', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
    await workspace.put('p.png', png);
    expect((await read({ path: 'p.png' })).content).toEqual([
      { type: 'text', text: 'p.png: image/png, 13 bytes' },
      { type: 'image', mediaType: 'image/png', data: png.toString('base64') },
    ]);
    await workspace.put('elf', Buffer.from('\x7fELF\0\0\0\0', 'latin1'));
    expect(await read({ path: 'elf' })).toMatchObject({
      isError: true,
      summary: 'elf is not text: ELF program, 8 bytes.',
    });
    await workspace.put('big.png', Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]));
    expect(await read({ path: 'big.png' })).toMatchObject({ isError: true });
  });

  it('lists a folder, and says that a file is empty', async () => {
    await workspace.put('src/a.ts', '');
    await workspace.put('src/deep/b.ts', 'x');
    await workspace.put('src/.hidden', 'x');
    expect(textOf(await read({ path: 'src' }))).toBe('src is a folder (3 entries):\n.hidden\na.ts\ndeep/');
    expect(textOf(await read({ path: 'src/a.ts' }))).toBe('src/a.ts is empty.');
  });

  it('offers near names for one that is missing', async () => {
    await workspace.put('src/config.ts', 'x');
    await workspace.put('lib/parse.ts', 'x');
    expect(textOf(await read({ path: 'src/confg.ts' }))).toContain('Did you mean: src/config.ts?');
    expect(textOf(await read({ path: 'parse.ts' }))).toContain('lib/parse.ts');
    expect(await read({ path: 'no/such/thing' })).toMatchObject({
      isError: true,
      summary: 'There is no file no/such/thing.',
    });
  });

  it('works where a place has nothing but the port', async () => {
    await workspace.put('a.txt', numbers(5));
    files = portOnly(files);
    expect(textOf(await read({ path: 'a.txt', offset: 5 }))).toBe('    5\tline 5');
    expect(textOf(await read({ path: '.' }))).toContain('a.txt');
  });

  it('lets refusals through, and reads only', async () => {
    await expect(read({ path: '/proc/self/environ' })).rejects.toMatchObject({
      record: { code: 'tool.refused' },
    });
    expect(tool.effect({ path: 'x' })).toBe(0);
    expect(tool.footprint?.({ path: 'x' })).toEqual({ reads: ['x'] });
  });
});

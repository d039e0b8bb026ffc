import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rotatingFile } from './rotating-file.ts';

describe('rotatingFile', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'rotating-file-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('makes its folder, and the home of it where there never was one, but no home that was moved away', async () => {
    const fresh = rotatingFile(join(folder, 'fresh', 'logs', 'a.log'));
    fresh.write('one\n');
    const lost: string[] = [];
    const home = join(folder, 'fresh');
    const later = rotatingFile(join(home, 'logs', 'b.log'), { instead: (line) => void lost.push(line) });
    await rename(home, `${home}.away`);
    later.write('two\n');
    expect(lost).toEqual(['two\n']);
    expect(await readdir(folder)).toEqual(['fresh.away']);
    await rename(`${home}.away`, home);
    later.write('three\n');
    expect(await readFile(join(home, 'logs', 'b.log'), 'utf8')).toContain('three');
  });

  it('keeps the newest lines in so many files of that size', async () => {
    const path = join(folder, 'logs', 'server.log');
    const write = (from: number, to: number) => {
      const file = rotatingFile(path, { mostBytes: 100, files: 3 });
      for (let n = from; n <= to; n++) file.write(`${JSON.stringify({ n: String(n).padStart(20, '0') })}\n`);
    };
    // A second process goes on where the first one stopped.
    write(1, 8);
    write(9, 20);
    expect((await readdir(join(folder, 'logs'))).toSorted()).toEqual([
      'server.log',
      'server.log.1',
      'server.log.2',
    ]);
    const files = await Promise.all(['.2', '.1', ''].map((end) => readFile(`${path}${end}`, 'utf8')));
    for (const text of files) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100);
    const numbers = files
      .join('')
      .trim()
      .split('\n')
      .map((line) => Number((JSON.parse(line) as { n: string }).n));
    expect(numbers.at(-1)).toBe(20);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    expect(numbers.length).toBeGreaterThanOrEqual(7);
  });
});

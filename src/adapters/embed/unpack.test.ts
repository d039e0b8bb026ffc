import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packed } from '#testkit/hub';
import { unpack } from './unpack.ts';

const signal = new AbortController().signal;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unpack-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function archiveOf(content: Buffer): Promise<string> {
  const path = join(folder, 'a.tgz');
  await writeFile(path, content);
  return path;
}

describe('unpack', () => {
  it('writes what is wanted, byte for byte, and tells its size and hash', async () => {
    const big = Buffer.alloc(300_001, 'abc');
    const archive = await archiveOf(packed({ 'a/one.bin': big, 'two.txt': 'two', empty: '' }));
    const unpacked = await unpack(
      archive,
      (path) => (path === 'two.txt' ? undefined : join(folder, 'out', path)),
      signal,
    );
    expect(await readFile(join(folder, 'out/a/one.bin'))).toEqual(big);
    expect(await readdir(join(folder, 'out'))).toEqual(['a', 'empty']);
    expect([...unpacked.keys()]).toEqual(['a/one.bin', 'empty']);
    expect(unpacked.get('a/one.bin')?.bytes).toBe(300_001);
    expect(unpacked.get('empty')?.sha256).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('fails on an archive that was cut off', async () => {
    const whole = packed({
      'a.bin': Buffer.from(Array.from({ length: 9_000 }, (_, at) => (at * 7919) % 251)),
    });
    const archive = await archiveOf(whole.subarray(0, whole.length / 2));
    await expect(unpack(archive, (path) => join(folder, path), signal)).rejects.toThrow(/end/);
  });

  it('stops when it is told to', async () => {
    const archive = await archiveOf(packed({ a: 'a' }));
    await expect(unpack(archive, () => undefined, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    );
  });
});

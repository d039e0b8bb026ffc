import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPaths, pathLister } from './list-paths.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-paths-'));
  for (const folder of ['src/deep', 'node_modules/x', '.git'])
    await mkdir(join(root, folder), { recursive: true });
  for (const file of [
    'a.ts',
    'src/b.ts',
    'src/deep/c.ts',
    'node_modules/x/d.js',
    '.git/config',
    'e\u001b[2Jvil',
    'a b',
  ]) {
    await writeFile(join(root, file), '');
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('listPaths', () => {
  it('lists the shallow first and leaves hidden and generated folders out', async () => {
    expect(await listPaths(root)).toEqual(['a.ts', 'src/', 'src/b.ts', 'src/deep/', 'src/deep/c.ts']);
  });

  it('stops at a number', async () => {
    expect(await listPaths(root, { paths: 2 })).toEqual(['a.ts', 'src/']);
  });

  it('has nothing in a folder that is not there', async () => {
    expect(await listPaths(join(root, 'none'))).toEqual([]);
  });
});

describe('pathLister', () => {
  it('looks again after a while', async () => {
    let now = 0;
    const list = pathLister(root, () => now);
    await list();
    await writeFile(join(root, 'new.ts'), '');
    expect(await list()).not.toContain('new.ts');
    now = 6_000;
    expect(await list()).toContain('new.ts');
  });
});

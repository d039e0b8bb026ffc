import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realPathOf } from './real-path.ts';

describe('realPathOf', () => {
  let base: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'hermes-real-')));
    await mkdir(join(base, 'real/in'), { recursive: true });
    await symlink(join(base, 'real'), join(base, 'link'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('follows links, also towards what does not exist yet', async () => {
    await symlink('link/later', join(base, 'dangling'));
    expect(await realPathOf(join(base, 'link/in'))).toBe(join(base, 'real/in'));
    expect(await realPathOf(join(base, 'link/none/deep'))).toBe(join(base, 'real/none/deep'));
    expect(await realPathOf(join(base, 'dangling/deep'))).toBe(join(base, 'real/later/deep'));
    expect(await realPathOf('/')).toBe('/');
  });

  it('does not take a circle for a place', async () => {
    await symlink('round', join(base, 'round'));
    await expect(realPathOf(join(base, 'round'))).rejects.toThrow('ELOOP');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atomicWrite } from './atomic-write.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-write-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const isWhole = (text: string) => text === 'a'.repeat(300_000) || text === 'b'.repeat(300_000);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('atomicWrite', () => {
  it('makes private folders and a private file', async () => {
    const path = join(folder, 'a', 'b', 'config.yaml');
    await atomicWrite(path, 'x');
    expect(await readFile(path, 'utf8')).toBe('x');
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(dirname(path))).toBe(0o700);
    expect(await modeOf(join(folder, 'a'))).toBe(0o700);
  });

  it('keeps the mode of an existing file unless one is asked for', async () => {
    const path = join(folder, 'f');
    await writeFile(path, 'old');
    await chmod(path, 0o664);
    await atomicWrite(path, 'new');
    expect(await modeOf(path)).toBe(0o664);
    await atomicWrite(path, 'newer', { mode: 0o600 });
    expect(await modeOf(path)).toBe(0o600);
  });

  it('writes through a link, also one whose file is not there yet', async () => {
    await mkdir(join(folder, 'real'));
    for (const name of ['present', 'absent']) {
      const real = join(folder, 'real', name);
      if (name === 'present') await writeFile(real, 'old');
      await symlink(join('real', name), join(folder, name));
      await atomicWrite(join(folder, name), 'new');
      expect(await readFile(real, 'utf8')).toBe('new');
      expect(await readdir(join(folder, 'real'))).toContain(name);
    }
  });

  it('leaves nothing behind when it fails, and names the path', async () => {
    await mkdir(join(folder, 'taken'));
    await expect(atomicWrite(join(folder, 'taken'), 'x')).rejects.toMatchObject({
      record: { code: 'config.unreadable', message: expect.stringContaining(join(folder, 'taken')) },
    });
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it('removes old drafts of dead writers, and only those', async () => {
    const dead = `.f.999999999.${'a'.repeat(12)}.tmp`;
    const alive = `.f.${process.pid}.${'b'.repeat(12)}.tmp`;
    const fresh = `.f.999999999.${'c'.repeat(12)}.tmp`;
    const other = `.g.999999999.${'d'.repeat(12)}.tmp`;
    for (const name of [dead, alive, fresh, other]) await writeFile(join(folder, name), 'secret');
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const name of [dead, alive, other]) await utimes(join(folder, name), longAgo, longAgo);
    await atomicWrite(join(folder, 'f'), 'x');
    expect((await readdir(folder)).toSorted()).toEqual([alive, fresh, other, 'f'].toSorted());
  });

  it('leaves the old text or the new one when the writer is killed', async () => {
    const path = join(folder, 'killed');
    await writeFile(path, 'a'.repeat(300_000));
    const script = `
      import { atomicWrite } from ${JSON.stringify(new URL('./atomic-write.ts', import.meta.url).href)};
      process.stdout.write('ready');
      for (let i = 0; ; i++) await atomicWrite(process.argv[1], 'ab'[i % 2].repeat(300000));
    `;
    for (let round = 0; round < 8; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'exit');
      try {
        await once(child.stdout, 'data');
        for (let look = 0; look < 20; look++) expect(await readFile(path, 'utf8')).toSatisfy(isWhole);
        await new Promise((resolve) => setTimeout(resolve, round * 3));
      } finally {
        child.kill('SIGKILL');
        await gone;
      }
      expect(await readFile(path, 'utf8')).toSatisfy(isWhole);
    }
  });
});

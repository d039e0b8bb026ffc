import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from './file-lock.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-lock-'));
  path = join(folder, 'counter');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
const holder = (fields: object) =>
  writeFile(
    `${path}.lock`,
    JSON.stringify({ pid: 1, at: Date.now(), host: hostname(), token: 't', ...fields }),
  );

const ADD = `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { withFileLock } from ${here('./file-lock.ts')};
  const path = process.argv[1];
  for (let i = 0; i < 25; i++) {
    await withFileLock(path, async () => {
      const count = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
      await new Promise(setImmediate);
      writeFileSync(path, String(count + 1));
    });
  }
`;

function run(script: string) {
  return spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('withFileLock', () => {
  it('loses no update of several processes, even when they start on a dead lock', async () => {
    await holder({ pid: 999_999_999 });
    const codes = await Promise.all(Array.from({ length: 4 }, () => once(run(ADD), 'exit')));
    expect(codes.map(([code]) => code)).toEqual([0, 0, 0, 0]);
    expect(await readFile(path, 'utf8')).toBe('100');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('takes over from a process that was killed while it held the lock', async () => {
    const child = run(`
      import { withFileLock } from ${here('./file-lock.ts')};
      await withFileLock(process.argv[1], () => new Promise(() => {
        setInterval(() => {}, 1000);
        process.stdout.write('held');
      }));
    `);
    const gone = once(child, 'exit');
    try {
      await once(child.stdout, 'data');
      await expect(withFileLock(path, async () => 'no', { waitMs: 50 })).rejects.toMatchObject({
        record: {
          code: 'store.busy',
          retry: { again: true },
          message: expect.stringContaining(`process ${child.pid}`),
        },
      });
    } finally {
      child.kill('SIGKILL');
      await gone;
    }
    expect(await withFileLock(path, async () => 'mine', { waitMs: 2000 })).toBe('mine');
  });

  it('keeps calls of one process apart and releases after a failure', async () => {
    const seen: string[] = [];
    const first = withFileLock(path, async () => {
      seen.push('in');
      await new Promise(setImmediate);
      seen.push('out');
      throw new Error('work failed');
    });
    const second = withFileLock(path, async () => seen.push('second'));
    await expect(first).rejects.toThrow('work failed');
    await second;
    expect(seen).toEqual(['in', 'out', 'second']);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('does not believe its own number in a lock of an earlier life', async () => {
    await holder({ pid: process.pid });
    expect(await withFileLock(path, async () => 1, { waitMs: 500 })).toBe(1);
  });

  it('does not believe a number from before the machine was started', async () => {
    await holder({ pid: process.ppid, at: 0 });
    await utimes(`${path}.lock`, 1, 1);
    expect(await withFileLock(path, async () => 1, { waitMs: 500 })).toBe(1);
  });

  it('waits for another machine until it has been silent for long', async () => {
    await holder({ host: 'elsewhere', pid: 999_999_999 });
    await expect(withFileLock(path, async () => 1, { waitMs: 30 })).rejects.toThrow('elsewhere');
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(`${path}.lock`, longAgo, longAgo);
    expect(await withFileLock(path, async () => 1, { waitMs: 500 })).toBe(1);
  });

  it('takes a half-written lock for one that is being made', async () => {
    await writeFile(`${path}.lock`, '');
    await expect(withFileLock(path, async () => 1, { waitMs: 30 })).rejects.toThrow('another process');
  });

  it('stops waiting when it is told to, and does not begin', async () => {
    await holder({ pid: process.ppid });
    const stop = new AbortController();
    let begun = false;
    const work = async () => {
      begun = true;
    };
    const waiting = withFileLock(path, work, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    expect(begun).toBe(false);
  });

  it('knows when it was taken over, and leaves the lock of the other', async () => {
    await withFileLock(path, async (lock) => {
      expect(lock.isHeld()).toBe(true);
      await holder({ token: 'of another' });
      expect(lock.isHeld()).toBe(false);
    });
    expect(await readFile(`${path}.lock`, 'utf8')).toContain('of another');
  });

  it('gives what the work gave also where the lock cannot be released', async () => {
    const gave = await withFileLock(path, async () => {
      await rm(`${path}.lock`);
      await mkdir(`${path}.lock`);
      return 'done';
    });
    expect(gave).toBe('done');
  });
});

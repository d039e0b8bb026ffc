import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ripgrep } from './ripgrep.ts';

async function all(pieces: AsyncIterable<string>): Promise<string[]> {
  const seen: string[] = [];
  for await (const piece of pieces) seen.push(piece);
  return seen;
}

/** A pipe that nobody ever closes: ripgrep cannot come to the end of it. */
async function endlessPipe() {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-rg-'));
  execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: folder });
  const handle = await open(join(folder, 'pipe'), 'r+');
  return {
    handle,
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe('ripgrep', () => {
  it('is killed when it is told to stop', async () => {
    await using pipe = await endlessPipe();
    const controller = new AbortController();
    const reason = new Error('stop');
    const found = all(ripgrep(['-e', 'x', '--', '-'], '\n', '/', controller.signal, pipe.handle.fd));
    await pipe.handle.write('x\n');
    controller.abort(reason);
    await expect(found).rejects.toBe(reason);
  }, 5_000);

  it('says so when it cannot be started', async () => {
    const { signal } = new AbortController();
    await expect(all(ripgrep(['--version'], '\n', '/no/such/folder', signal))).rejects.toMatchObject({
      record: { code: 'tool.failed', message: expect.stringContaining('ripgrep') },
    });
  });

  it('gives what it complains about', async () => {
    const { signal } = new AbortController();
    await expect(all(ripgrep(['-e', '(', '--', './'], '\n', '/', signal))).rejects.toThrow(/unclosed group/);
  });
});

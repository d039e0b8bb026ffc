import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MachineReading } from '#spec/data';
import { takeReading } from './take-reading.ts';
import { thisMachine } from './this-machine.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-machine-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function take(reading: MachineReading, more: { timeoutMs?: number; maxOutputBytes?: number } = {}) {
  const said = { stdout: '', stderr: '' };
  const options = { cwd: root, timeoutMs: 20_000, maxOutputBytes: 1_000_000, ...more };
  const end = await takeReading(reading, options, new AbortController().signal, ({ stream, text }) => {
    said[stream] += text;
  });
  return { ...end, ...said };
}

describe('takeReading', () => {
  it('reads this machine', async () => {
    expect(await take({ read: 'disks', paths: ['/'] })).toMatchObject({ code: 0, cwd: root });
    expect((await take({ read: 'disks', paths: ['/'] })).stdout).toMatch(/%\s+\/\n$/);
    await writeFile(join(root, 'large'), Buffer.alloc(2_200_000));
    expect((await take({ read: 'large_files', path: '.', large_mb: 1 })).stdout).toMatch(/ \.\/large\n$/);
  });

  it('takes programs from the system alone, and passes no environment on', async () => {
    await mkdir(join(root, 'bin'));
    await writeFile(join(root, 'bin/df'), '#!/bin/sh\necho planted\n', { mode: 0o755 });
    const usual = process.env.PATH;
    process.env.PATH = `${join(root, 'bin')}:${usual}`;
    try {
      expect((await take({ read: 'disks', paths: ['/'] })).stdout).not.toContain('planted');
    } finally {
      process.env.PATH = usual;
    }
  });

  it('says what did not come to its end', async () => {
    expect(await take({ read: 'disks', paths: ['nowhere'] })).toMatchObject({ code: 1, stdout: '' });
    expect(await take({ read: 'large_files', path: '/proc', large_mb: 1 }, { timeoutMs: 1 })).toMatchObject({
      stopped: 'time',
    });
    const few = { maxOutputBytes: 10 };
    expect(await take({ read: 'disks', paths: ['/'] }, few)).toMatchObject({ stopped: 'output' });
  });
});

describe('thisMachine', () => {
  it('says when it is itself a container, as far as that can be told', async () => {
    expect(await thisMachine({ root })).toBe('on this machine');
    await mkdir(join(root, 'proc/1'), { recursive: true });
    await writeFile(join(root, 'proc/1/cgroup'), '0::/kubepods/burstable/pod1/abc\n');
    expect(await thisMachine({ root })).toBe('on this machine, which is itself a container (kubernetes)');
    await writeFile(join(root, '.dockerenv'), '');
    expect(await thisMachine({ root })).toBe('on this machine, which is itself a container (docker)');
    await mkdir(join(root, 'run/systemd'), { recursive: true });
    await writeFile(join(root, 'run/systemd/container'), 'systemd-nspawn\n');
    expect(await thisMachine({ root })).toContain('(systemd-nspawn)');
  });
});

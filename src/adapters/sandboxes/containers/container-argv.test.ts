import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { containerUser, runArgs } from './container-argv.ts';
import { ContainerOptions } from './container-options.ts';

const workspace = mkdtempSync(join(tmpdir(), 'hermes-argv-'));
mkdirSync(join(workspace, '.hermes'));
writeFileSync(join(workspace, '.env'), 'KEY=1');
afterAll(() => rmSync(workspace, { recursive: true }));

const DOCKER = { program: 'docker', rootlessProbe: [], rootlessArgs: ['--rootless-only'] } as const;

const args = (options: object, hidden: string[] = [], rootless = false) =>
  runArgs(DOCKER, {
    name: 'hermes-1',
    user: '1000:1000',
    options: ContainerOptions.parse(options),
    place: { name: 'box', workspace, hidden, limits: { memoryMb: 256, processes: 32, cpuSeconds: 5 } },
    rootless,
  });

/** The value that follows a flag. */
const after = (list: readonly string[], flag: string) => list[list.indexOf(flag) + 1];

describe('runArgs', () => {
  it('closes everything that is not asked for', () => {
    const list = args({});
    expect(list).toEqual(expect.arrayContaining(['--read-only', '--rm', '--detach']));
    expect([after(list, '--network'), after(list, '--cap-drop'), after(list, '--security-opt')]).toEqual([
      ...['none', 'ALL', 'no-new-privileges'],
    ]);
    expect([after(list, '--memory'), after(list, '--memory-swap'), after(list, '--pids-limit')]).toEqual([
      ...['256m', '256m', '36'],
    ]);
    expect(list).not.toContain('--rootless-only');
    expect(args({}, [], true)).toContain('--rootless-only');
  });

  it('takes limits and mounts from the options, mounts for reading only', () => {
    const list = args({
      memory: '2g',
      cpus: 1.5,
      pids: 64,
      mounts: [{ source: '/srv/data', target: '/data' }],
    });
    expect([after(list, '--memory'), after(list, '--cpus'), after(list, '--pids-limit')]).toEqual([
      '2048m',
      '1.5',
      '68',
    ]);
    expect(list).toContain('type=bind,source=/srv/data,target=/data,readonly');
  });

  it('covers what is hidden inside the workspace', () => {
    const list = args({}, [
      join(workspace, '.hermes'),
      join(workspace, '.env'),
      join(workspace, 'none'),
      '/elsewhere',
    ]);
    expect(list.filter((word) => word.startsWith('/workspace/.hermes:ro'))).toHaveLength(1);
    expect(list).toContain('type=bind,source=/dev/null,target=/workspace/.env,readonly');
    expect(list.join(' ')).not.toContain('elsewhere');
  });

  it('refuses mounts that would show what is hidden, and paths that would be read as more', () => {
    const mounts = (source: string) => ({ mounts: [{ source, target: '/data' }] });
    expect(() => args(mounts('/home/me/.hermes/logs'), ['/home/me/.hermes'])).toThrow('/home/me/.hermes');
    expect(() => args(mounts('/srv/a,readonly=false'))).toThrow('cannot mount');
  });
});

describe('ContainerOptions', () => {
  it.each([
    { network: 'host' },
    { network: 'container:other' },
    { memory: 'much' },
    { privileged: true },
    { user: 'root' },
  ])('refuses %j', (options) => {
    expect(ContainerOptions.safeParse(options).success).toBe(false);
  });
});

describe.skipIf(process.getuid?.() !== 0)('containerUser (skipped unless run by root)', () => {
  it('is root only when the options say so', () => {
    expect(() => containerUser(ContainerOptions.parse({}), workspace)).toThrow('belongs to root');
    expect(containerUser(ContainerOptions.parse({ user: '0:0' }), workspace)).toBe('0:0');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { Files } from '#spec/ports';
import { localReferences } from './local-references.ts';

/** A workspace in memory: the files of a map, and the folders they stand in. */
function memoryFiles(content: Readonly<Record<string, string | Uint8Array>>, root = '/work') {
  const globs: string[] = [];
  const bytes = (path: string) => {
    const found = content[path];
    return typeof found === 'string' ? new TextEncoder().encode(found) : found;
  };
  const files: Files = {
    root,
    stat: async (path) => {
      const found = bytes(path);
      if (found) return { kind: 'file', size: found.length, changedAt: 0 };
      const prefix = path === '.' ? '' : `${path.replace(/\/+$/, '')}/`;
      const inside = Object.keys(content).some((name) => name.startsWith(prefix));
      return inside ? { kind: 'folder', size: 0, changedAt: 0 } : undefined;
    },
    read: async (path) => bytes(path) ?? new Uint8Array(),
    write: async () => undefined,
    find: async (glob, limit) => {
      globs.push(glob);
      return Object.keys(content).slice(0, limit);
    },
    search: async () => [],
  };
  return { files, globs };
}

describe('files and folders', () => {
  const { files, globs } = memoryFiles({
    'a.txt': 'Grüße 中文',
    'src/b.ts': 'b',
    'picture.png': new Uint8Array([137, 80, 0, 1]),
    'huge.log': 'x'.repeat(400_001),
    'empty.txt': '',
  });
  const references = localReferences(files);

  it('are read as text', async () => {
    expect(await references.file('a.txt')).toBe('Grüße 中文');
    expect(await references.file('empty.txt')).toBe('');
    expect(await references.folder('src')).toContain('src/b.ts');
  });

  it('are undefined when they are not there, too large, no text, or the other of the two', async () => {
    for (const path of ['none', 'huge.log', 'picture.png', 'src'])
      expect(await references.file(path)).toBeUndefined();
    for (const path of ['none', 'a.txt']) expect(await references.folder(path)).toBeUndefined();
  });

  it('are undefined when they are out of reach, and nothing else is passed over', async () => {
    const refusing = (thrown: Error) => localReferences({ ...files, stat: () => Promise.reject(thrown) });
    const refused = refusing(fail('input.invalid', 'out of reach'));
    expect(await refused.file('/etc/passwd')).toBeUndefined();
    expect(await refused.folder('/etc')).toBeUndefined();
    await expect(refusing(new Error('disk on fire')).file('a')).rejects.toThrow('disk on fire');
  });

  it('look below the folder that was named', async () => {
    globs.length = 0;
    for (const path of ['src', 'src/', '.']) await references.folder(path);
    expect(globs).toEqual(['src/**', 'src/**', '**']);
  });
});

describe('changes', () => {
  let root: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      stdio: 'pipe',
    });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'hermes-diff-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('are all since the last commit, or those that are staged', async () => {
    git('init', '-q');
    await writeFile(join(root, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    const { diff } = localReferences(memoryFiles({}, root).files);
    expect(await diff(false)).toBe('');
    await writeFile(join(root, 'a.txt'), 'two\n');
    git('add', '.');
    await writeFile(join(root, 'a.txt'), 'three\n');
    expect(await diff(true)).toMatch(/^-one\n\+two$/m);
    expect(await diff(false)).toMatch(/^-one\n\+three$/m);
  });

  it('are undefined where there is no repository', async () => {
    expect(await localReferences(memoryFiles({}, root).files).diff(false)).toBeUndefined();
  });
});

describe('addresses', () => {
  const { url } = localReferences(memoryFiles({}).files);
  const signal = new AbortController().signal;

  it('inside the machine or its network are never asked', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end('secret');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ];
    for (const host of hosts) expect(await url(`http://${host}:${port}/`, signal), host).toBeUndefined();
    await new Promise((resolve) => server.close(resolve));
    expect(asked).toBe(0);
  });

  it.each([
    'http://10.0.0.1/',
    'http://172.16.9.9/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::7f00:1]/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'not an address',
  ])('refuses %s', async (address) => {
    expect(await url(address, signal)).toBeUndefined();
  });
});

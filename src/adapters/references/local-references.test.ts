import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { CommandResult, Files, WebClient } from '#spec/ports';
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

const NO_COMMANDS = () => Promise.reject(fail('tool.failed', 'no commands run here'));
const NO_WEB: Pick<WebClient, 'fetch'> = { fetch: () => Promise.reject(fail('tool.refused', 'private')) };

describe('files and folders', () => {
  const { files, globs } = memoryFiles({
    'a.txt': 'Grüße 中文',
    'src/b.ts': 'b',
    'picture.png': new Uint8Array([137, 80, 0, 1]),
    'huge.log': 'x'.repeat(400_001),
    'empty.txt': '',
  });
  const references = localReferences(files, NO_WEB, NO_COMMANDS);

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
    const refusing = (thrown: Error) =>
      localReferences({ ...files, stat: () => Promise.reject(thrown) }, NO_WEB, NO_COMMANDS);
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
  const ran: string[] = [];
  /** A shell in the workspace, in the place of a sandbox. */
  const run = async (command: string): Promise<CommandResult> => {
    ran.push(command);
    const { stdout, stderr, status } = spawnSync('bash', ['-c', command], { cwd: root, encoding: 'utf8' });
    return { code: status, output: stderr + stdout, cwd: root, ms: 1 };
  };
  const { diff } = localReferences(memoryFiles({}).files, NO_WEB, run);

  beforeEach(async () => {
    ran.length = 0;
    root = await mkdtemp(join(tmpdir(), 'hermes-diff-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  async function committed(): Promise<void> {
    git('init', '-q');
    await writeFile(join(root, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
  }

  it('are all since the last commit, or those that are staged', async () => {
    await committed();
    expect(await diff(false)).toBe('');
    await writeFile(join(root, 'a.txt'), 'two\n');
    git('add', '.');
    await writeFile(join(root, 'a.txt'), 'three\n');
    git('config', 'core.safecrlf', 'warn');
    git('config', 'core.autocrlf', 'true');
    expect(await diff(true)).toMatch(/^-one\n\+two$/m);
    expect(await diff(false)).toMatch(/^-one\n\+three$/m);
    expect(await diff(false)).toMatch(/^diff --git/);
  });

  it('are undefined where there is no repository, no git, or no end', async () => {
    expect(await diff(false)).toBeUndefined();
    expect(await localReferences(memoryFiles({}).files, NO_WEB, NO_COMMANDS).diff(true)).toBeUndefined();
    const cut = async () => ({ code: 0, stopped: 'output' as const, output: 'x', cwd: root, ms: 1 });
    expect(await localReferences(memoryFiles({}).files, NO_WEB, cut).diff(true)).toBeUndefined();
  });

  it('are asked for where commands run, and start none of the programs that a repository names', async () => {
    await committed();
    const mark = join(root, 'ran');
    await writeFile(join(root, 'trap.sh'), `#!/bin/sh\necho ran >> ${mark}\n`, { mode: 0o755 });
    await writeFile(join(root, '.gitattributes'), '*.txt diff=trap\n');
    for (const name of ['core.fsmonitor', 'diff.external', 'diff.trap.command', 'diff.trap.textconv'])
      git('config', name, join(root, 'trap.sh'));
    await writeFile(join(root, 'a.txt'), 'two\n');
    await diff(false);
    await diff(true);
    expect(ran).toHaveLength(2);
    expect(existsSync(mark)).toBe(false);
    git('diff', 'HEAD');
    expect(existsSync(mark)).toBe(true);
  });
});

describe('addresses', () => {
  const signal = new AbortController().signal;
  const answering = (status: number, type: string, text: string): Pick<WebClient, 'fetch'> => ({
    fetch: async ({ url }) => ({
      url,
      status,
      headers: { 'content-type': type },
      body: new TextEncoder().encode(text),
      cut: false,
      ms: 1,
    }),
  });
  const page = (web: Pick<WebClient, 'fetch'>) =>
    localReferences(memoryFiles({}).files, web, NO_COMMANDS).url('https://a.example/', signal);

  it('give the text of a page, and other text as it is', async () => {
    const html = '<html><script>x()</script><h1>Pool</h1><p>20 &lt; 30&amp;nbsp;</p></html>';
    expect(await page(answering(200, 'text/html; charset=utf-8', html))).toBe('Pool\n20 < 30&nbsp;');
    expect(await page(answering(200, 'application/json', '{"a":"<b>"}'))).toBe('{"a":"<b>"}');
  });

  it('are undefined where the answer is no text, no success, or refused', async () => {
    expect(await page(answering(200, 'image/png', 'x'))).toBeUndefined();
    expect(await page(answering(404, 'text/plain', 'no'))).toBeUndefined();
    expect(await page(NO_WEB)).toBeUndefined();
  });
});

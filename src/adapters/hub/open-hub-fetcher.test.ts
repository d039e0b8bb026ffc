import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitRepository, tarOf, zipOf } from '#testkit/hub';
import { type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import type { HubSource } from '#spec/data';
import type { HubFetcher } from '#spec/ports';
import { openHubFetcher } from './open-hub-fetcher.ts';

let folder: string;
let fetcher: HubFetcher;
let server: LoopbackServer | undefined;
const signal = AbortSignal.timeout(60_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-hub-'));
  await mkdir(join(folder, 'tmp'));
  fetcher = openHubFetcher({ web: loopbackWeb({}), git: '/usr/bin/git', temporary: join(folder, 'tmp') });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

const texts = (files: readonly { path: string; bytes: Uint8Array }[]) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
const fetchIt = (source: HubSource) => fetcher.fetch(source, signal);

describe('a folder', () => {
  it('is read without what lies behind links', async () => {
    await mkdir(join(folder, 'a', '.git'), { recursive: true });
    await writeFile(join(folder, 'a', 'SKILL.md'), '# A');
    await writeFile(join(folder, 'a', '.git', 'config'), 'x');
    await symlink('/etc', join(folder, 'a', 'etc'));
    const tree = await fetchIt({ kind: 'folder', at: join(folder, 'a') });
    expect(texts(tree.files)).toEqual({ 'SKILL.md': '# A' });
    expect(tree.odd).toEqual(['etc']);
  });

  it('has to be there, and not be a link', async () => {
    await symlink('/etc', join(folder, 'l'));
    for (const at of [join(folder, 'l'), join(folder, 'none')])
      await expect(fetchIt({ kind: 'folder', at })).rejects.toMatchObject({
        record: { code: 'input.invalid' },
      });
  });
});

describe('an archive', () => {
  const bytes = gzipSync(
    tarOf([
      { name: 'repo-1/a/SKILL.md', text: '# A' },
      { name: 'repo-1/b/SKILL.md', text: '# B' },
    ]),
  );

  it('comes from a file, as a whole or a folder of it', async () => {
    const at = join(folder, 'x.tar.gz');
    await writeFile(at, bytes);
    expect(Object.keys(texts((await fetchIt({ kind: 'archive', at })).files))).toHaveLength(2);
    expect(texts((await fetchIt({ kind: 'archive', at, folder: 'b' })).files)).toEqual({ 'SKILL.md': '# B' });
    expect(texts((await fetchIt({ kind: 'archive', at, folder: 'repo-1/a' })).files)).toEqual({
      'SKILL.md': '# A',
    });
  });

  it('comes from the web, and tells where from', async () => {
    server = await startLoopback(({ path }) =>
      path === '/moved.zip'
        ? { status: 302, headers: { location: '/x.zip' } }
        : { body: Buffer.from(zipOf([{ name: 'SKILL.md', text: '# Z' }])) },
    );
    fetcher = openHubFetcher({
      web: loopbackWeb({ 'https://skills.example.com': server.url }),
      git: '/usr/bin/git',
      temporary: folder,
    });
    const tree = await fetchIt({ kind: 'archive', at: 'https://skills.example.com/moved.zip' });
    expect(texts(tree.files)).toEqual({ 'SKILL.md': '# Z' });
    expect(tree.from).toBe('https://skills.example.com/x.zip');
  });

  it('must be what the registry lists', async () => {
    const at = join(folder, 'x.tar.gz');
    await writeFile(at, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await expect(fetchIt({ kind: 'archive', at, sha256 })).resolves.toBeDefined();
    await expect(fetchIt({ kind: 'archive', at, sha256: '0'.repeat(64) })).rejects.toMatchObject({
      record: { code: 'tool.refused', message: expect.stringContaining(sha256) },
    });
  });

  it('must not be an error page', async () => {
    server = await startLoopback(() => ({ status: 404, body: 'no' }));
    fetcher = openHubFetcher({
      web: loopbackWeb({ 'https://s.example': server.url }),
      git: 'git',
      temporary: folder,
    });
    await expect(fetchIt({ kind: 'archive', at: 'https://s.example/x.zip' })).rejects.toMatchObject({
      message: expect.stringContaining('404'),
    });
  });
});

describe.skipIf(!existsSync('/usr/bin/git'))('a repository (needs /usr/bin/git)', () => {
  it('gives the newest, a branch, a tag, a commit, a folder', async () => {
    const repository = gitRepository(folder);
    const first = repository.commit({ 'skills/a/SKILL.md': '# one', 'README.md': 'r' });
    repository.tag('v1');
    const second = repository.commit({ 'skills/a/SKILL.md': '# two' });
    const git = (more: Partial<HubSource>) => fetchIt({ kind: 'git', at: repository.url, ...more });
    expect(await git({})).toMatchObject({ commit: second });
    expect(texts((await git({ folder: 'skills/a' })).files)).toEqual({ 'SKILL.md': '# two' });
    expect(await git({ ref: 'v1' })).toMatchObject({ commit: first });
    expect(texts((await git({ ref: 'main' })).files)).toEqual({
      'README.md': 'r',
      'skills/a/SKILL.md': '# two',
    });
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('makes no links, runs no hooks and no filters, and follows no submodules', async () => {
    const repository = gitRepository(folder);
    repository.commit(
      {
        'SKILL.md': '# A',
        '.gitattributes': '*.md filter=evil',
        '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = /etc',
      },
      { passwd: '/etc/passwd' },
    );
    const tree = await fetchIt({ kind: 'git', at: repository.url });
    expect(tree.odd).toEqual(['passwd']);
    expect(texts(tree.files)['SKILL.md']).toBe('# A');
    expect(existsSync(join(folder, 'origin.git', 'ran'))).toBe(false);
  });

  it.each([
    '--upload-pack=touch /tmp/x',
    'ext::sh -c touch% /tmp/x',
    'http://example.com/a/b',
    'git://example.com/a',
    'ssh://-oProxyCommand=x/a',
    'git@-oProxyCommand=x:a',
    'file://host/x y',
    '/etc',
  ])('refuses %s', async (at) => {
    await expect(fetchIt({ kind: 'git', at })).rejects.toMatchObject({ record: { code: 'input.invalid' } });
  });

  it.each(['--upload-pack=x', '-x', 'a b', 'main:refs/heads/x'])('refuses the branch %s', async (ref) => {
    await expect(fetchIt({ kind: 'git', at: `file://${folder}/x`, ref })).rejects.toMatchObject({
      record: { code: 'input.invalid' },
    });
  });

  it('says what git said, and leaves nothing behind', async () => {
    await expect(fetchIt({ kind: 'git', at: `file://${folder}/none` })).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });
});

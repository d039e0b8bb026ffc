import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesContract } from '#testkit/files';
import { localFiles } from './local-files.ts';

const temporary = async () => realpath(await mkdtemp(join(tmpdir(), 'hermes-files-')));

filesContract('local files', async () => {
  const root = await temporary();
  return { files: localFiles({ root, protectedPaths: [] }), close: () => rm(root, { recursive: true }) };
});

const refused = { record: { code: 'tool.refused' } };
const failed = { record: { code: 'tool.failed' } };
const bytes = (text: string) => Buffer.from(text);

let base: string;
let root: string;
let home: string;
beforeEach(async () => {
  base = await temporary();
  [root, home] = [join(base, 'work'), join(base, 'home')];
  for (const folder of [root, join(home, 'memories'), join(base, 'out')])
    await mkdir(folder, { recursive: true });
  await writeFile(join(base, 'out', 'secret'), 'out of reach');
  await writeFile(join(home, '.env'), 'KEY=hidden needle');
});
afterEach(() => rm(base, { recursive: true, force: true }));
const open = () => localFiles({ root, protectedPaths: [home], userHome: base });

describe('what may be read', () => {
  it('is anything but protected paths and credentials', async () => {
    const files = open();
    expect(Buffer.from(await files.read(join(base, 'out', 'secret'))).toString()).toBe('out of reach');
    expect(Buffer.from(await files.read('~/out/secret')).toString()).toBe('out of reach');
    for (const path of [home, join(home, '.env'), '../home/.env', '~/home/.env', 'x\0y'])
      await expect(files.stat(path), path).rejects.toMatchObject(refused);
  });

  it('does not reach protected files through links, in the file or on the way', async () => {
    await symlink(join(home, '.env'), join(root, 'innocent'));
    await symlink(home, join(root, 'folder'));
    await symlink('folder', join(root, 'again'));
    await symlink('/', join(root, 'slash'));
    for (const path of [
      'innocent',
      'folder/.env',
      'again/.env',
      `slash${home}/.env`,
      `/proc/self/root${home}/.env`,
    ])
      await expect(open().read(path), path).rejects.toMatchObject(refused);
    await expect(open().list('again')).rejects.toMatchObject(refused);
  });

  it('knows a protected folder by its link too', async () => {
    await symlink(home, join(base, 'alias'));
    const files = localFiles({ root, protectedPaths: [join(base, 'alias')] });
    await expect(files.read(join(home, '.env'))).rejects.toMatchObject(refused);
    await expect(files.read(join(base, 'alias', '.env'))).rejects.toMatchObject(refused);
  });

  it.each([
    '~/.ssh/id_rsa',
    '~/.SSH/config',
    '~/.ssh./config',
    '~/.ssh /config',
    '~/.s\u200bsh/config',
    '~/.aws/credentials',
    '~/.aws/Credentials::$DATA',
    '~/.gnupg/secring.gpg',
    '~/.netrc',
    '~/.kube/config',
    '~/.docker/config.json',
    '~/.config/gcloud/x.json',
    '~/.git-credentials',
    '/etc/shadow',
    '/etc/../etc/shadow',
    '/var/run/secrets/kubernetes.io/token',
    'keys/id_ed25519',
    '/proc/self/environ',
    '/proc/1/environ',
    '/proc/self/root/etc/hosts',
    '/proc/self/cwd/package.json',
    '/proc/thread-self/environ',
    '/proc/self/task/1/environ',
    '/proc/self/fd/0',
    '/dev/fd/0',
    '/proc/kcore',
  ])('refuses %j', async (path) => {
    await expect(open().read(path)).rejects.toMatchObject(refused);
    await expect(open().write(path, bytes('x'))).rejects.toMatchObject(refused);
  });

  it.each(['/proc/meminfo', '/proc/self/status', '/proc/loadavg'])('reads %s', async (path) => {
    expect((await open().read(path)).length).toBeGreaterThan(0);
  });

  it('refuses devices and pipes without waiting for them', async () => {
    execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: root });
    await expect(open().read('pipe')).rejects.toMatchObject(refused);
    await expect(open().read('/dev/zero')).rejects.toMatchObject(refused);
    await expect(open().write('pipe', bytes('x'))).rejects.toMatchObject(refused);
    await expect(open().read('.')).rejects.toMatchObject(failed);
  });
});

describe('what may be written', () => {
  it('is the workspace, by its real path', async () => {
    await symlink(join(base, 'out'), join(root, 'door'));
    await symlink(join(base, 'out', 'new'), join(root, 'dangling'));
    await symlink('loop', join(root, 'loop'));
    for (const path of ['door/x', 'door', 'dangling', join(base, 'out', 'x'), join(home, 'x'), '../work2/x'])
      await expect(open().write(path, bytes('x')), path).rejects.toMatchObject(refused);
    await expect(open().write('loop', bytes('x'))).rejects.toMatchObject(failed);
    expect(await readdir(join(base, 'out'))).toEqual(['secret']);
  });

  it('goes through links that stay inside, and through a link to the workspace', async () => {
    await mkdir(join(root, 'real'));
    await symlink('real/target', join(root, 'link'));
    await open().write('link', bytes('through'));
    expect(await readFile(join(root, 'real', 'target'), 'utf8')).toBe('through');
    await symlink(root, join(base, 'alias'));
    const files = localFiles({ root: join(base, 'alias'), protectedPaths: [] });
    await files.write('x', bytes('1'));
    expect(await files.find('x', 5, new AbortController().signal)).toEqual(['x']);
  });

  it('is never a protected folder inside the workspace, nor what belongs to git', async () => {
    const files = localFiles({ root: base, protectedPaths: [home] });
    await expect(files.write('home/x', bytes('x'))).rejects.toMatchObject(refused);
    for (const path of ['.git', '.GIT/config', '.git./config', 'sub/.g\u200cit/x', 'git~1/config'])
      await expect(files.write(path, bytes('x')), path).rejects.toMatchObject(refused);
    await files.write('.gitignore', bytes('x'));
  });

  it('keeps the mode of a file, and leaves no drafts behind', async () => {
    await writeFile(join(root, 'run.sh'), 'old');
    await chmod(join(root, 'run.sh'), 0o751);
    await open().write('run.sh', bytes('new'));
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o751);
    expect(await readdir(root)).toEqual(['run.sh']);
  });

  it('does not write through a hard link', async () => {
    await link(join(base, 'out', 'secret'), join(root, 'twin'));
    await open().write('twin', bytes('changed'));
    expect(await readFile(join(base, 'out', 'secret'), 'utf8')).toBe('out of reach');
  });

  it('replaces and removes only what is still there as it was read', async () => {
    const files = open();
    await files.replace('f', undefined, bytes('one'));
    await expect(files.replace('f', undefined, bytes('two'))).rejects.toMatchObject(failed);
    await expect(files.replace('f', bytes('other'), bytes('two'))).rejects.toMatchObject(failed);
    await expect(files.remove('f', bytes('other'))).rejects.toMatchObject(failed);
    expect(await readFile(join(root, 'f'), 'utf8')).toBe('one');
    await files.replace('f', bytes('one'), bytes('two'));
    await files.remove('f', bytes('two'));
    expect(await readdir(root)).toEqual([]);
  });

  it('loses no race against someone who swaps a folder for a link', async () => {
    const files = open();
    const names = JSON.stringify([join(root, 'dir'), join(root, 'parked'), home]);
    const swap = `const fs = require('fs'); const [dir, parked, home] = ${names};
      const steps = [() => fs.rmSync(parked, { recursive: true, force: true }), () => fs.renameSync(dir, parked),
        () => fs.symlinkSync(home, dir), () => fs.unlinkSync(dir), () => fs.renameSync(parked, dir)];
      process.stdout.write('go');
      for (;;) for (const step of steps) try { step(); } catch { /* the writer was there first */ }`;
    const swapper = spawn(process.execPath, ['-e', swap], { stdio: ['ignore', 'pipe', 'ignore'] });
    const gone = once(swapper, 'close');
    try {
      await once(swapper.stdout, 'data');
      const outcomes = new Set<string>();
      for (let at = 0; at < 400; at++) {
        const [wrote, saw] = await Promise.allSettled([
          files.write(`dir/w${at % 5}`, bytes('x')),
          files.read('dir/.env'),
        ]);
        expect(saw.status).toBe('rejected');
        outcomes.add(wrote.status);
      }
      expect([...outcomes].sort()).toEqual(['fulfilled', 'rejected']);
    } finally {
      swapper.kill('SIGKILL');
      await gone;
    }
    expect((await readdir(home)).sort()).toEqual(['.env', 'memories']);
  });
});

describe('searching', () => {
  const { signal } = new AbortController();

  it('shows nothing of protected files, wherever it starts', async () => {
    await mkdir(join(base, '.ssh'));
    await writeFile(join(base, '.ssh', 'config'), 'needle');
    await writeFile(join(root, 'a'), 'needle');
    const found = await open().search({ pattern: 'needle', path: base, glob: '{*,.*}', limit: 50 }, signal);
    expect(found.map(({ path }) => path)).toEqual(['a']);
    await expect(open().search({ pattern: 'needle', path: home, limit: 5 }, signal)).rejects.toMatchObject(
      refused,
    );
    await expect(open().find('../home/*', 5, signal)).rejects.toMatchObject(refused);
    expect(await open().find('../out/*', 5, signal)).toEqual([join(base, 'out', 'secret')]);
  });

  it('takes nothing for an option', async () => {
    await writeFile(join(root, '--pre=sh'), '--version\n');
    const found = await open().search({ pattern: '--version', path: '--pre=sh', limit: 5 }, signal);
    expect(found).toEqual([{ path: '--pre=sh', line: 1, text: '--version', matched: true }]);
    expect(await open().search({ pattern: 'x', glob: '--version', limit: 5 }, signal)).toEqual([]);
  });

  it('cuts long lines', async () => {
    await writeFile(join(root, 'min.js'), `${'x'.repeat(5_000_000)}needle`);
    const [match] = await open().search({ pattern: 'needle|xxx', limit: 5 }, signal);
    expect(match?.text.length).toBeLessThan(2_000);
  });

  it('searches a file that says it is empty', async () => {
    expect(await open().search({ pattern: 'Linux', path: '/proc/version', limit: 5 }, signal)).toHaveLength(
      1,
    );
  });

  it('is stopped in the middle', async () => {
    await writeFile(join(root, 'big'), 'some line of text\n'.repeat(3_000_000));
    const controller = new AbortController();
    const searching = open().search({ pattern: 'text', path: 'big', limit: 10_000_000 }, controller.signal);
    const reason = new Error('stop');
    setImmediate(() => controller.abort(reason));
    await expect(searching).rejects.toBe(reason);
  });
});

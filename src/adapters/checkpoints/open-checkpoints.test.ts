import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckpointCause, Checkpoints } from '#spec/ports';
import { type CheckpointOptions, openCheckpoints } from './open-checkpoints.ts';

const GIT = '/usr/bin/git';
let base: string;
let root: string;
let checkpoints: Checkpoints;
const open = (more: Partial<CheckpointOptions> = {}) =>
  openCheckpoints({ workspace: root, folder: join(base, 'kept'), git: GIT, ...more });
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hermes-checkpoints-'));
  root = join(base, 'work');
  await mkdir(root);
  checkpoints = await open();
});
afterEach(() => rm(base, { recursive: true, force: true }));

const put = async (path: string, text: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
const text = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const there = (path: string): Promise<boolean> =>
  lstat(join(root, path)).then(
    () => true,
    () => false,
  );
const git = (...args: string[]): string => execFileSync(GIT, args, { cwd: root, encoding: 'utf8' });
const cause = (turn = 1, session = 'ses_a'): CheckpointCause => ({ kind: 'turn', session, turn });
const taken = (): Promise<string> => checkpoints.take(cause());
const restore = (id: string, path?: string) => checkpoints.restore(id, 'ses_a', path);

describe('openCheckpoints', () => {
  it('takes a state only when something changed, and lists the newest first', async () => {
    await put('a', '1');
    expect(await checkpoints.take(cause(1))).toBe('c1');
    expect(await checkpoints.take(cause(1, 'ses_b'))).toBe('c1');
    await put('b/c', '2');
    await put('a', '3');
    expect(await checkpoints.take(cause(2, 'ses_b'))).toBe('c2');
    expect(await checkpoints.list()).toMatchObject([
      { id: 'c2', changed: 2, before: [cause(2, 'ses_b')] },
      { id: 'c1', changed: 1, before: [cause(1), cause(1, 'ses_b')] },
    ]);
    expect(Math.abs(((await checkpoints.list())[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await (await open()).list()).toHaveLength(2);
  });

  it('reads those that an earlier release kept', async () => {
    await put('a', '1');
    await taken();
    const [repository = ''] = await readdir(join(base, 'kept'));
    const inside = (...args: string[]) =>
      execFileSync(GIT, ['--git-dir', join(base, 'kept', repository), ...args], {
        encoding: 'utf8',
        env: {
          GIT_AUTHOR_NAME: 'x',
          GIT_AUTHOR_EMAIL: 'x',
          GIT_COMMITTER_NAME: 'x',
          GIT_COMMITTER_EMAIL: 'x',
        },
      }).trim();
    const commit = inside(
      'commit-tree',
      'refs/checkpoints/00000001^{tree}',
      '-m',
      'before turn 4',
      '-m',
      '3',
    );
    inside('update-ref', 'refs/checkpoints/00000001', commit);
    expect(await checkpoints.list()).toMatchObject([
      { id: 'c1', changed: 3, before: [{ kind: 'other', label: 'before turn 4' }] },
    ]);
  });

  it('tells what going back would do', async () => {
    await put('kept', 'same');
    await put('changed', 'one\n');
    await put('deleted', 'x\n');
    const id = await taken();
    await put('changed', 'two\n');
    await put('dir/added', 'y\n');
    await rm(join(root, 'deleted'));
    const diff = await checkpoints.diff(id);
    expect(diff?.changes).toEqual([
      { path: 'changed', kind: 'changed' },
      { path: 'deleted', kind: 'added' },
      { path: 'dir/added', kind: 'removed' },
    ]);
    expect(diff?.text).toContain('-two\n+one');
    expect((await checkpoints.diff(id, './dir/'))?.changes).toEqual([{ path: 'dir/added', kind: 'removed' }]);
    expect(await checkpoints.diff('c99')).toBeUndefined();
    expect(await checkpoints.list()).toHaveLength(1);
  });

  it('goes back, and back again', async () => {
    await put('changed', 'one');
    await put('deep/er/deleted', 'x');
    const id = await taken();
    await put('changed', 'two');
    await put('new/folder/added', 'y');
    await rm(join(root, 'deep'), { recursive: true });
    const report = await restore(id);
    expect(report).toEqual({
      restored: ['changed', 'deep/er/deleted'],
      removed: ['new/folder/added'],
      failed: [],
      before: 'c2',
    });
    expect([await text('changed'), await text('deep/er/deleted'), await there('new')]).toEqual([
      'one',
      'x',
      false,
    ]);
    await restore('c2');
    expect([await text('changed'), await there('deep'), await text('new/folder/added')]).toEqual([
      'two',
      false,
      'y',
    ]);
  });

  it('goes back with one file only', async () => {
    await put('a', '1');
    await put('b', '1');
    await put('a*', '1');
    const id = await taken();
    for (const path of ['a', 'b', 'a*']) await put(path, '2');
    expect((await restore(id, 'a*'))?.restored).toEqual(['a*']);
    expect([await text('a'), await text('b'), await text('a*')]).toEqual(['2', '2', '1']);
    for (const path of ['../x', '/etc/passwd', 'a/../../x'])
      await expect(restore(id, path)).rejects.toMatchObject({
        record: { code: 'input.invalid' },
      });
    expect(await restore('c99')).toBeUndefined();
  });

  it('keeps bytes as they are: line endings, filters, encodings, odd names', async () => {
    await put('.gitattributes', '* text=auto eol=lf\n*.x filter=lfs ident\n');
    await put('crlf.txt', 'a\r\nb\r\n');
    await put('b.x', '$Id$\r\n');
    await put('bin', Buffer.from([0, 255, 13, 10, 0]));
    await put('näme "with\nall\' sorts', 'x');
    const id = await taken();
    for (const path of ['crlf.txt', 'b.x', 'bin', 'näme "with\nall\' sorts']) await put(path, 'gone');
    expect((await restore(id))?.restored).toHaveLength(4);
    expect(await text('crlf.txt')).toBe('a\r\nb\r\n');
    expect(await text('b.x')).toBe('$Id$\r\n');
    expect(await readFile(join(root, 'bin'))).toEqual(Buffer.from([0, 255, 13, 10, 0]));
    expect(await text('näme "with\nall\' sorts')).toBe('x');
  });

  it('keeps modes and links, and follows none', async () => {
    await put('run.sh', '1');
    await chmod(join(root, 'run.sh'), 0o750);
    await put('private', '1');
    await chmod(join(root, 'private'), 0o600);
    await put('outside-target', 'x');
    await symlink('/etc/hostname', join(root, 'link'));
    await put('folder/f', 'inside');
    const id = await taken();
    await put('run.sh', '2');
    await chmod(join(root, 'run.sh'), 0o640);
    await put('private', '2');
    await rm(join(root, 'link'));
    const outside = join(base, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'f'), 'not ours');
    await rename(join(root, 'folder'), join(root, 'moved'));
    await symlink(outside, join(root, 'folder'));
    const report = await restore(id);
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o750);
    expect((await stat(join(root, 'private'))).mode & 0o777).toBe(0o600);
    expect(await readlink(join(root, 'link'))).toBe('/etc/hostname');
    expect(await readFile(join(outside, 'f'), 'utf8')).toBe('not ours');
    expect(await text('folder/f')).toBe('inside');
    expect(report?.failed).toEqual([]);
  });

  it('removes nothing that it does not hold', async () => {
    await put('place', 'a file');
    const id = await taken();
    await rm(join(root, 'place'));
    await put('place/node_modules/x', 'precious');
    await put('place/.env', 'KEY=1');
    const report = await restore(id);
    expect(report?.failed).toEqual([{ path: 'place', reason: 'a folder stands in its place' }]);
    expect([await text('place/node_modules/x'), await text('place/.env')]).toEqual(['precious', 'KEY=1']);
  });

  it('leaves out secrets, large files and dependencies, and says so', async () => {
    checkpoints = await open({ limits: { fileBytes: 1_000 } });
    await put('.env', 'TOKEN=very-secret-value');
    await put('.env.example', 'TOKEN=');
    await put('deploy/server.key', 'very-secret-value');
    await put('large', 'x'.repeat(1_001));
    await put('node_modules/m/index.js', 'x');
    await put('app/.git/config', 'x');
    const id = await taken();
    expect((await checkpoints.leftOut()).toSorted()).toEqual(['.env', 'deploy/server.key', 'large']);
    await put('.env', 'TOKEN=new');
    await put('.env.example', 'TOKEN=changed');
    expect(await restore(id)).toMatchObject({ restored: ['.env.example'], removed: [] });
    expect(await text('.env')).toBe('TOKEN=new');
    const [repository = ''] = await readdir(join(base, 'kept'));
    const objects = [
      '--git-dir',
      join(base, 'kept', repository),
      'cat-file',
      '--batch-all-objects',
      '--batch',
    ];
    const everything = execFileSync(GIT, objects, { encoding: 'utf8' });
    expect(everything).toContain('TOKEN=changed');
    expect(everything).not.toContain('very-secret-value');
  });

  it('keeps a file that grew or became secret where it is', async () => {
    checkpoints = await open({ limits: { fileBytes: 1_000 } });
    await put('log', 'small');
    const id = await taken();
    await put('log', 'x'.repeat(2_000));
    const report = await restore(id);
    expect(report?.restored).toEqual(['log']);
    expect(await text('log')).toBe('small');
  });

  it('works beside the repository of the user and in nested ones, without touching them', async () => {
    git('init', '-q');
    git('config', 'user.email', 'a@b');
    git('config', 'user.name', 'n');
    await put('.gitignore', 'ignored\n');
    await put('tracked', '1');
    git('add', '.');
    git('commit', '-qm', 'one');
    await put('ignored', 'precious');
    await put('staged', 's');
    git('add', 'staged');
    await put('nested/f', '1');
    execFileSync(GIT, ['init', '-q', join(root, 'nested')]);
    const hook = join(root, '.git', 'hooks', 'post-checkout');
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(hook, `#!/bin/sh\ntouch ${join(base, 'hook-ran')}\n`, { mode: 0o755 });
    const before = [
      git('status', '--porcelain'),
      git('rev-parse', 'HEAD'),
      await readFile(join(root, '.git/index')),
    ];
    const id = await taken();
    expect([
      git('status', '--porcelain'),
      git('rev-parse', 'HEAD'),
      await readFile(join(root, '.git/index')),
    ]).toEqual(before);
    await put('ignored', 'lost');
    await put('nested/f', '2');
    await put('tracked', '2');
    expect((await restore(id))?.restored).toEqual(['ignored', 'nested/f', 'tracked']);
    expect([await text('ignored'), await text('nested/f')]).toEqual(['precious', '1']);
    expect(git('status', '--porcelain')).toBe(before[0]);
    await expect(stat(join(base, 'hook-ran'))).rejects.toThrow('ENOENT');
  });

  it('sees a change of the same length within the same moment', async () => {
    await put('f', 'aaa');
    const then = new Date(1_700_000_000_000);
    await utimes(join(root, 'f'), then, then);
    await taken();
    await put('f', 'bbb');
    await utimes(join(root, 'f'), then, then);
    expect(await checkpoints.take(cause(2))).toBe('c2');
  });

  it('keeps only so many, and frees what the others held', async () => {
    checkpoints = await open({ keep: 3 });
    for (let n = 1; n <= 21; n += 1) {
      await put('f', `state ${n}`);
      await taken();
    }
    expect((await checkpoints.list()).map(({ id }) => id)).toEqual(['c21', 'c20', 'c19']);
    await put('f', 'not kept yet');
    // The oldest of all, while one more comes in.
    await restore('c19');
    expect(await text('f')).toBe('state 19');
    expect((await checkpoints.list()).map(({ id }) => id)).toEqual(['c22', 'c21', 'c20', 'c19']);
  });

  it('is safe for many at once', async () => {
    const others = await Promise.all([open(), open(), open()]);
    for (let n = 0; n < 3; n += 1) {
      await put('f', `${n}`);
      await Promise.all(others.map((other, i) => other.take(cause(n, `ses_${i}`))));
    }
    const ids = (await checkpoints.list()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(3);
  });

  it('refuses a workspace that is too large, and does not enter what is hidden', async () => {
    for (let n = 0; n < 5; n += 1) await put(`many/${n}`, 'x');
    const small = await open({ limits: { files: 4 } });
    await expect(small.take(cause())).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    await put('.hermes/state.db', 'x');
    const hiding = await open({ hidden: [join(root, '.hermes')] });
    expect(await hiding.take(cause())).toBe('c1');
    await put('.hermes/state.db', 'y');
    expect(await hiding.take(cause(2))).toBe('c1');
  });
});

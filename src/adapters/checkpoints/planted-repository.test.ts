import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckpointCause } from '#spec/ports';
import { openCheckpoints } from './open-checkpoints.ts';

const GIT = '/usr/bin/git';
let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'hermes-planted-')));
  root = join(base, 'work');
  await mkdir(root);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
const text = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const cause = (turn = 1): CheckpointCause => ({ kind: 'turn', session: 'ses_a', turn });
const open = () => openCheckpoints({ workspace: root, folder: join(base, 'kept'), git: GIT });

/** Takes a state, looks at it, goes back to it and forth again: everything that runs git. */
async function wholeRound(): Promise<void> {
  const checkpoints = await open();
  await put('a.txt', 'one\n');
  await put('sub/b.txt', 'one\n');
  const id = await checkpoints.take(cause());
  await put('a.txt', 'two\n');
  await rm(join(root, 'sub/b.txt'));
  expect((await checkpoints.diff(id))?.text).toContain('-two\n+one');
  const report = await checkpoints.restore(id, 'ses_a');
  expect(report).toMatchObject({ restored: ['a.txt', 'sub/b.txt'], failed: [] });
  expect(await text('a.txt')).toBe('one\n');
  await checkpoints.restore(report?.before ?? '', 'ses_a');
  expect(await text('a.txt')).toBe('two\n');
}

const HOOKS = [
  'pre-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'fsmonitor-watchman',
];

/** A repository in which everything that git can be made to run is a program that leaves a mark. */
async function plant(): Promise<string> {
  const mark = join(base, 'ran');
  const trap = join(root, 'trap.sh');
  await put('trap.sh', `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`);
  await chmod(trap, 0o755);
  execFileSync(GIT, ['init', '-q'], { cwd: root });
  for (const folder of ['hooks', '.git/hooks'])
    for (const hook of HOOKS) {
      await put(`${folder}/${hook}`, `#!/bin/sh\n${trap} ${hook}\n`);
      await chmod(join(root, folder, hook), 0o755);
    }
  const programs = ['clean', 'smudge', 'process'].map((name) => `\t${name} = ${trap}\n`).join('');
  const driver = `[filter "trap"]\n${programs}\trequired = true\n[diff "trap"]\n\ttextconv = ${trap}\n\tcommand = ${trap}\n`;
  await put('.git/more', driver);
  await put(
    '.git/config',
    `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${trap}\n\thooksPath = ${join(root, 'hooks')}\n` +
      `\tattributesFile = ${join(root, 'attributes')}\n[diff]\n\texternal = ${trap}\n` +
      `[includeIf "gitdir:**"]\n\tpath = more\n[include]\n\tpath = ${join(root, '.git/more')}\n`,
  );
  for (const path of ['.gitattributes', 'sub/.gitattributes', 'attributes', '.git/info/attributes'])
    await put(path, '[attr]evil filter=trap diff=trap\n*.txt filter=trap diff=trap text eol=crlf\n* evil\n');
  return mark;
}

describe('checkpoints in a repository that somebody planted', () => {
  it('run none of its hooks, filters, monitors and drivers', async () => {
    const mark = await plant();
    await wholeRound();
    expect(existsSync(mark)).toBe(false);
    // The traps work: git as a person runs it springs them.
    spawnSync(GIT, ['add', 'a.txt'], { cwd: root });
    const sprung = await readFile(mark, 'utf8');
    expect(sprung).toContain('trap.sh');
  });

  it('do not even read its settings', async () => {
    await plant();
    await put('.git/config', '[core\nthis is no setting');
    await put('.git/config.worktree', '[core\nnor this');
    expect(spawnSync(GIT, ['add', 'a.txt'], { cwd: root }).status).not.toBe(0);
    await wholeRound();
  });

  it('take no part in where it says that it lies', async () => {
    const home = join(base, 'home');
    await mkdir(home);
    await writeFile(join(home, 'config.yaml'), 'secret\n');
    await plant();
    await put('.git/config', `[core]\n\tworktree = ${home}\n`);
    await wholeRound();
    await rm(join(root, '.git'), { recursive: true });
    execFileSync(GIT, ['init', '-q', home]);
    await put('.git', `gitdir: ${join(home, '.git')}\n`);
    await put('a.txt', 'three\n');
    expect(await (await open()).take(cause(2))).toBeDefined();
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe('secret\n');
    expect(existsSync(join(home, 'a.txt'))).toBe(false);
  });
});

describe('checkpoints and what is hidden behind a link', () => {
  it('leave it out, by whichever way it is named', async () => {
    await symlink(root, join(base, 'link'));
    await put('a.txt', 'one\n');
    await put('.hermes/config.yaml', 'secret\n');
    const linked = await openCheckpoints({
      workspace: root,
      folder: join(base, 'link/.hermes/checkpoints'),
      hidden: [join(base, 'link/.hermes'), join(base, 'link/later')],
      git: GIT,
    });
    const id = await linked.take(cause());
    await put('.hermes/config.yaml', 'changed\n');
    await put('later/state.db', 'x');
    await put('a.txt', 'two\n');
    expect((await linked.diff(id))?.changes).toEqual([{ path: 'a.txt', kind: 'changed' }]);
  });

  it('know the repositories of their own as such', async () => {
    await symlink(root, join(base, 'link'));
    await put('a.txt', 'one\n');
    const own = await openCheckpoints({ workspace: root, folder: join(base, 'link/kept'), git: GIT });
    expect(await own.take(cause())).toBe('c1');
    expect(await own.take(cause(2))).toBe('c1');
  });
});

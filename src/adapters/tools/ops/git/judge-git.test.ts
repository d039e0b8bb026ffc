import { describe, expect, it } from 'vitest';
import { judgeGit } from './judge-git.ts';

describe('judgeGit', () => {
  it.each([
    [0, 'status'],
    [0, 'git log -5 --oneline --since=yesterday'],
    [0, 'log -n 5 -- src/a.ts'],
    [0, 'diff HEAD~1 --stat'],
    [0, 'diff main..topic -- src/a..b.ts'],
    [0, 'diff main...topic'],
    [0, 'branch -a'],
    [0, 'branch --list x*'],
    [0, 'tag -l'],
    [0, 'stash list'],
    [0, 'remote -v'],
    [2, 'branch topic'],
    [2, 'add .'],
    [2, 'commit -m x'],
    [2, 'switch -c topic'],
    [2, 'restore --staged a'],
    [2, 'revert HEAD --no-edit'],
    [3, 'branch -d topic'],
    [3, 'commit --amend --no-edit'],
    [3, 'restore a'],
    [3, 'stash drop'],
  ])('is of level %i: %s', (level, line) => {
    expect(judgeGit(line.split(' '))).toMatchObject({ kind: 'allowed', level });
  });

  it.each([
    '-c core.pager=x log',
    '-C /etc log',
    '--git-dir=/x log',
    '--exec-path=/x log',
    'log --ext-diff',
    'log --ext',
    'diff --output=/etc/x',
    'diff --no-index /etc/passwd /dev/null',
    'diff -O/etc/x',
    'diff /dev/null /home/x/config.yaml',
    'diff a ../other/b',
    'diff a b/../../c',
    'diff ..',
    'diff -- a /etc/passwd',
    'diff a ~/x',
    'show --textconv',
    'grep -O x',
    'grep --open-files-in-pager=sh x',
    'fetch --upload-pack=sh',
    'clone ext::sh',
    'push',
    'pull',
    'reset --hard',
    'clean -fd',
    'checkout .',
    'config core.pager x',
    'commit -F /etc/passwd',
    'commit --template=x -m y',
    'commit',
    'commit -m x --gpg-sign=y',
    'blame --contents=/etc/passwd a',
    'remote add x y',
    'reflog expire',
    'filter-branch x',
    'bisect run sh',
    'rebase -x sh',
    'submodule foreach sh',
    'worktree add x',
    'branch -D x',
    'shortlog',
    'revert HEAD',
    'st',
    'constructor',
  ])('refuses: %s', (line) => {
    expect(judgeGit(line.split(' '))).toMatchObject({
      kind: 'refused',
      reason: expect.any(String) as string,
    });
  });

  it('takes everything behind -- for a path', () => {
    expect(judgeGit(['log', '--', '--output=x'])).toMatchObject({
      args: ['log', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--', '--output=x'],
    });
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leftBehind, treeState } from './tree-state.ts';

let root: string;
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hermes-tree-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('what a run leaves behind', () => {
  beforeEach(() => {
    git('init', '--quiet');
    write('.gitignore', '*.log\n');
    for (const name of ['kept.txt', 'edited.txt', 'removed.txt']) write(name, name);
    git('add', '.');
    git('commit', '--quiet', '-m', 'x');
    write('edited.txt', 'before the run');
    write('left from before', '');
  });

  it('is nothing when the tree stands as it stood, clean or not', () => {
    const before = treeState(root);
    write('run.log', 'ignored');
    write('edited.txt', 'before the run');
    expect(leftBehind(before, treeState(root))).toEqual([]);
  });

  it('is each file that was made, changed or removed, also one that was changed before', () => {
    const before = treeState(root);
    write('oom', '');
    write('kept.txt', 'changed');
    write('edited.txt', 'changed again');
    rmSync(join(root, 'removed.txt'));
    rmSync(join(root, 'left from before'));
    expect(leftBehind(before, treeState(root))).toEqual([
      'edited.txt',
      'kept.txt',
      'left from before',
      'oom',
      'removed.txt',
    ]);
  });
});

it('nothing is compared where there is no repository', () => {
  expect(treeState(root)).toBeUndefined();
  expect(leftBehind(undefined, new Map([['oom', 'x']]))).toEqual([]);
});

import { spawnSync } from 'node:child_process';

/** Files of the tree that differ from the last commit, each with what it holds. */
export type TreeState = ReadonlyMap<string, string>;

/** How the tree stands, ignored files aside; undefined where there is no git, or no repository. */
export function treeState(root: string): TreeState | undefined {
  const status = git(root, ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']);
  if (status === undefined) return undefined;
  const entries = status.split('\0').filter(Boolean);
  const paths = entries.map((entry) => entry.slice(3));
  const there = entries.filter((entry) => !entry.slice(0, 2).includes('D')).map((entry) => entry.slice(3));
  const hashes = there.length ? git(root, ['hash-object', '--', ...there])?.split('\n') : [];
  return new Map(paths.map((path) => [path, hashes?.[there.indexOf(path)] ?? 'gone']));
}

/** What a run left behind: files that stand otherwise than before it. */
export function leftBehind(before: TreeState | undefined, after: TreeState | undefined): string[] {
  if (!before || !after) return [];
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted();
}

function git(root: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['--no-optional-locks', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? stdout : undefined;
}

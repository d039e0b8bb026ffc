import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A bare repository on this machine that can be fetched by `file://`. */
export interface GitRepository {
  readonly url: string;
  /** Writes files (undefined removes one) as the next commit of `main`, and gives its id. */
  commit(
    files: Readonly<Record<string, string | undefined>>,
    links?: Readonly<Record<string, string>>,
  ): string;
  tag(name: string): void;
}

export function gitRepository(folder: string): GitRepository {
  const bare = join(folder, 'origin.git');
  const work = join(folder, 'work');
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@localhost',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@localhost',
  };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8' }).trim();
  mkdirSync(work, { recursive: true });
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  // What a hostile repository would like to happen.
  writeFileSync(join(bare, 'hooks', 'post-checkout'), '#!/bin/sh\ntouch ran\n');
  chmodSync(join(bare, 'hooks', 'post-checkout'), 0o755);
  git(work, 'init', '--quiet', '--initial-branch=main');
  return {
    url: `file://${bare}`,
    commit(files, links = {}) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(work, path)), { recursive: true });
        if (text === undefined) rmSync(join(work, path));
        else writeFileSync(join(work, path), text);
      }
      for (const [path, target] of Object.entries(links)) symlinkSync(target, join(work, path));
      git(work, 'add', '-A');
      git(work, 'commit', '--quiet', '-m', 'change');
      git(work, 'push', '--quiet', bare, 'main');
      return git(work, 'rev-parse', 'HEAD');
    },
    tag(name) {
      git(work, 'tag', name);
      git(work, 'push', '--quiet', bare, name);
    },
  };
}

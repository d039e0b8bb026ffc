import { z } from 'zod';
import type { ToolPlace } from '#spec/ports';
import { commandLine } from '../../running/command-line.ts';
import { gitEnvironment } from '../../ops/git/git-environment.ts';

/** A branch, tag, commit or range. Nothing that git could read as an option. */
export const Revision = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w@^~][\w./@^~{}+-]*$/, 'a branch, tag or commit');

const PLAIN = ['--relative', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

/** Trunks go by two names, and may be known from the remote alone. */
function candidates(target: string): readonly string[] {
  if (/^(?:main|master)$/.test(target))
    return [...new Set([target, 'main', 'master', 'origin/main', 'origin/master', 'HEAD'])];
  return [target, `origin/${target}`];
}

/**
 * One command line that compares the working folder with where it left the target, and prints what it compared with
 * behind the difference. The first target that exists is taken.
 */
export function differenceLine(
  target: string,
  flags: readonly string[],
  paths: readonly string[],
  cached = false,
): string {
  const tries = target.includes('..') ? [target] : candidates(target);
  return tries
    .map((name) => {
      const words = ['git', 'diff', ...flags, ...PLAIN, ...(cached ? ['--cached'] : [])];
      const base = name === 'HEAD' || name.includes('..') ? [name] : ['--merge-base', name];
      return `{ ${commandLine([...words, ...base, '--', ...paths])} && printf '\\0against %s\\0' ${commandLine([name])}; }`;
    })
    .join(' || ');
}

/** What `differenceLine` printed: the difference, what it was taken against, and what came behind. */
export function splitDifference(stdout: string): {
  readonly difference: string;
  readonly against: string | undefined;
  readonly rest: string;
} {
  const mark = /\0against ([^\0]*)\0/.exec(stdout);
  if (!mark) return { difference: stdout, against: undefined, rest: '' };
  return {
    difference: stdout.slice(0, mark.index),
    against: mark[1],
    rest: stdout.slice(mark.index + mark[0].length),
  };
}

export interface FileStat {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

/** The output of `git diff --numstat -z --no-renames`. */
export function parseNumstat(text: string): FileStat[] {
  return text.split('\0').flatMap((entry) => {
    const [, added = '', removed = '', path = ''] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(entry.trimStart()) ?? [];
    if (path === '') return [];
    const binary = added === '-';
    return [{ path, additions: binary ? 0 : Number(added), deletions: binary ? 0 : Number(removed), binary }];
  });
}

/** Which lines of each file are new, from a difference without context. */
export function changedLines(difference: string): Map<string, Set<number>> {
  const files = new Map<string, Set<number>>();
  let lines: Set<number> | undefined;
  for (const line of difference.split('\n')) {
    const name = /^\+\+\+ (?:"?b\/(.*?)"?|\/dev\/null)\t?$/.exec(line);
    if (name) {
      lines = name[1] === undefined ? undefined : new Set();
      if (name[1] !== undefined && lines) files.set(name[1], lines);
      continue;
    }
    const [, start, length = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start !== undefined) for (let at = 0; at < Number(length); at++) lines?.add(Number(start) + at);
  }
  return files;
}

/** Names as they are, and prefixes as `changedLines` expects them, whatever the repository has set. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.quotePath', 'false'],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
];

export function differenceEnvironment(place: Pick<ToolPlace, 'key'>): Record<string, string> {
  const env = gitEnvironment(place);
  const known = Number(env.GIT_CONFIG_COUNT ?? 0);
  SETTINGS.forEach(([key, value], at) => {
    env[`GIT_CONFIG_KEY_${known + at}`] = key;
    env[`GIT_CONFIG_VALUE_${known + at}`] = value;
  });
  return { ...env, GIT_CONFIG_COUNT: String(known + SETTINGS.length) };
}

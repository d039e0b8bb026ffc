import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WARN_AT = 500;

export interface SizeReport {
  readonly files: number;
  readonly median: number;
  readonly p90: number;
  readonly largest: string;
  readonly over: readonly string[];
}

/** How long our source files are; tests and generated files are left out. */
export function fileSizes(root: string): SizeReport {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx', '*.mjs'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const sizes = listed
    .split('\n')
    .filter((path) => path && !/\.test\.tsx?$|\.gen\.ts$/.test(path))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines);
  const at = (share: number) => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))];
  const name = (file: { path: string; lines: number } | undefined) => `${file?.path} (${file?.lines})`;
  return {
    files: sizes.length,
    median: at(0.5)?.lines ?? 0,
    p90: at(0.9)?.lines ?? 0,
    largest: name(sizes.at(-1)),
    over: sizes.filter((file) => file.lines > WARN_AT).map(name),
  };
}

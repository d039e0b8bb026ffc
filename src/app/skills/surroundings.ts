import type { Dirent } from 'node:fs';
import { existsSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a skill may be triggered by beside the words of a message. */
export interface Surroundings {
  /** Files of the working folder and of the folders in it, relative to it. */
  readonly files: readonly string[];
  readonly signals: readonly string[];
}

const MOST_ENTRIES = 300;
const MOST_FOLDERS = 20;
const MOST_IN_FOLDER = 20;
/** Folders that hold what others wrote. */
const SKIPPED = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', 'venv', '__pycache__']);

/** Signals that are known without running anything: a command could be one that the project chose. */
const SIGNALS: Readonly<Record<string, (cwd: string, text: string) => boolean>> = {
  git_repository: (cwd) => existsSync(join(cwd, '.git')),
  /** A diff can be taken. Whether it is empty is for the skill to find out. */
  git_diff_available: (cwd) => existsSync(join(cwd, '.git')),
  pr_opened: (_, text) =>
    /\b(?:pr|pull request|merge request|mr)\s?[#!]?\d+|\/(?:pull|merge_requests)\/\d+|合并请求/i.test(text),
  error_in_message: (_, text) =>
    /\b(?:errors?|exceptions?|traceback|panic|segfault|stack trace|failed|exit code [1-9]\d*)\b|报错|异常|失败|错误/i.test(
      text,
    ),
};

/** A bounded look at the working folder and the message. A folder that cannot be read has nothing in it. */
export async function surroundingsOf(cwd: string, text: string): Promise<Surroundings> {
  const top = await entriesOf(cwd, MOST_ENTRIES);
  const folders = top.filter((entry) => entry.isDirectory() && isOwn(entry.name)).slice(0, MOST_FOLDERS);
  const below = await Promise.all(
    folders.map(async ({ name }) =>
      (await entriesOf(join(cwd, name), MOST_IN_FOLDER)).flatMap((entry) =>
        entry.isFile() ? [`${name}/${entry.name}`] : [],
      ),
    ),
  );
  const files = [...top.flatMap((entry) => (entry.isFile() ? [entry.name] : [])), ...below.flat()];
  const signals = Object.entries(SIGNALS).flatMap(([name, fires]) => (fires(cwd, text) ? [name] : []));
  return { files, signals };
}

const isOwn = (name: string): boolean => !SKIPPED.has(name) && (!name.startsWith('.') || name === '.github');

/** The first entries by name, so that the same folder gives the same ones. */
async function entriesOf(folder: string, most: number): Promise<Dirent[]> {
  const found: Dirent[] = [];
  try {
    // A folder of a million files is not read to its end.
    for await (const entry of await opendir(folder)) if (found.push(entry) >= most * 10) break;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown;
    return [];
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, most);
}

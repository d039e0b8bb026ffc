import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cleanPaste } from './paste-fold.ts';

/** Entries that are kept, and the length of one. */
const MOST_ENTRIES = 1_000;
const MOST_CHARS = 20_000;

export interface History {
  /** The newest first, without repeats in a row. */
  readonly entries: readonly string[];
  /** Adds to the list at once and to the file as soon as it can. Resolves when it is stored. */
  add(text: string): Promise<void>;
  /** Resolves when everything added so far is stored. */
  settled(): Promise<void>;
}

/**
 * What the user has typed, across sessions: one JSON string a line. A line is appended in one write, so that several
 * programs may use the file; it is rewritten, by renaming, only when it has grown to twice what is kept.
 * In the file stands what was typed as `clean` gives it back.
 * A history that cannot be read or stored is no reason to stop talking: `onProblem` hears of each once.
 */
export async function openHistory(
  path: string | undefined,
  onProblem: (error: unknown) => void,
  clean: (text: string) => string = (text) => text,
): Promise<History> {
  const lines = path ? await readLines(path, onProblem) : [];
  const entries = dedupe(lines.map(parse).filter((entry) => entry !== undefined)).slice(-MOST_ENTRIES);
  entries.reverse();
  let stored = lines.length;
  let broken = false;
  let queue: Promise<void> = Promise.resolve();

  const store = async (file: string, text: string) => {
    if (stored >= 2 * MOST_ENTRIES) {
      await rewrite(file, entries.toReversed().map(clean));
      stored = entries.length;
      return;
    }
    await append(file, `${JSON.stringify(clean(text))}\n`);
    stored++;
  };
  return {
    entries,
    settled: () => queue,
    add: (typed) => {
      const text = typed.trim();
      if (!text || text.length > MOST_CHARS || text === entries[0]) return queue;
      entries.unshift(text);
      entries.length = Math.min(entries.length, MOST_ENTRIES);
      if (!path || broken) return queue;
      queue = queue
        .then(() => store(path, text))
        .catch((error: unknown) => {
          broken = true;
          onProblem(error);
        });
      return queue;
    },
  };
}

async function readLines(path: string, onProblem: (error: unknown) => void): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(error);
    return [];
  }
}

function parse(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? cleanPaste(value) : undefined;
  } catch {
    // A line that was cut by a crash is left out; the others stand.
    return undefined;
  }
}

const dedupe = (entries: readonly string[]): string[] =>
  entries.filter((entry, i) => entry !== entries[i - 1]);

async function append(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a', 0o600);
  try {
    await file.write(line);
  } finally {
    await file.close();
  }
}

async function rewrite(path: string, entries: readonly string[]): Promise<void> {
  const fresh = `${path}.${process.pid}.new`;
  await writeFile(fresh, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
  await rename(fresh, path);
}

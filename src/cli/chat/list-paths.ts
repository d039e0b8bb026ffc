import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { safeText } from './safe-text.ts';

const MOST_PATHS = 5_000;
const MOST_MS = 200;
const FRESH_MS = 5_000;
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'target', 'vendor', '__pycache__']);

export interface Bounds {
  readonly paths?: number;
  readonly ms?: number;
}

/**
 * Files and folders (with a slash at the end) below a folder, the shallow ones first. It stops at a number and at a
 * time: a huge tree gives what is near. Hidden and generated folders are left out, and
 * names that could not be typed.
 */
export async function listPaths(root: string, bounds: Bounds = {}): Promise<string[]> {
  const { paths: most = MOST_PATHS, ms = MOST_MS } = bounds;
  const until = performance.now() + ms;
  const found: string[] = [];
  const folders = [''];
  for (let i = 0; i < folders.length && found.length < most && performance.now() < until; i++) {
    const folder = folders[i] as string;
    // A folder that may not be read, or is gone by now, has nothing to offer.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || /\s/.test(entry.name) || safeText(entry.name) !== entry.name)
        continue;
      const path = folder + entry.name;
      if (!entry.isDirectory()) found.push(path);
      else if (!SKIPPED.has(entry.name)) {
        found.push(`${path}/`);
        folders.push(`${path}/`);
      }
    }
  }
  return found.slice(0, most);
}

/** The same list, kept for a few seconds. */
export function pathLister(root: string, now: () => number = Date.now): () => Promise<readonly string[]> {
  let at = -Infinity;
  let list: Promise<readonly string[]> = Promise.resolve([]);
  return () => {
    if (now() - at > FRESH_MS) {
      at = now();
      list = listPaths(root);
    }
    return list;
  };
}

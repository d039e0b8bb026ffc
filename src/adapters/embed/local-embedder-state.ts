import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Part, pinnedParts } from './pinned-parts.ts';

export interface LocalEmbedderState {
  /** `unsupported`: there is no runtime for this platform. */
  readonly state: 'ready' | 'partly' | 'absent' | 'unsupported';
  /** The parts that are not there, or not whole. */
  readonly missing: readonly string[];
  /** What the whole takes on disk. */
  readonly bytes: number;
}

/** Whether the weights and the runtime are in the folder. Looks at sizes; the set-up step has looked at the contents. */
export async function localEmbedderState(folder: string): Promise<LocalEmbedderState> {
  const parts = pinnedParts();
  if (!parts) return { state: 'unsupported', missing: [], bytes: 0 };
  const whole = await Promise.all(parts.map((part) => isWhole(folder, part)));
  const missing = parts.filter((_, at) => !whole[at]).map(({ name }) => name);
  const bytes = parts.flatMap(({ packages }) => packages.flatMap(({ files }) => files));
  return {
    state: missing.length === 0 ? 'ready' : missing.length === parts.length ? 'absent' : 'partly',
    missing,
    bytes: bytes.reduce((sum, [, size]) => sum + size, 0),
  };
}

export async function isWhole(folder: string, { name, packages }: Part): Promise<boolean> {
  const files = packages.flatMap(({ files: pinned, place }) =>
    pinned.map(([path, bytes]) => ({ path: join(folder, name, place(path)), bytes })),
  );
  const sizes = await Promise.all(files.map(({ path }) => stat(path).then(({ size }) => size, notThere)));
  return sizes.every((size, at) => size === files[at]?.bytes);
}

function notThere(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail } from '#kit/app-error';
import { anchorOf, openFolder } from './open-file.ts';
import { ignoreMissing, isMissing } from '#adapters/io/ignore-missing';

/** Judges the real path that is about to be written; throws to refuse. */
export type Check = (actual: string) => void;

/** What the file must hold for the change to go ahead: `undefined` means that there must be none. */
export interface Expected {
  readonly bytes: Uint8Array | undefined;
}

/**
 * Replaces a file as a whole (draft, then rename), making its folders. Everything is done relative to an open and
 * checked folder, so that no link put on the way can lead it elsewhere. An existing file keeps its mode.
 */
export async function replaceFile(
  real: string,
  bytes: Uint8Array,
  check: Check,
  expected?: Expected,
): Promise<void> {
  await inFolder(real, check, true, async (at) => {
    const target = at(basename(real));
    const existing = await regularFile(target, real);
    const draft = at(`.hermes-${randomBytes(6).toString('hex')}.tmp`);
    try {
      await writeDraft(draft, bytes, existing);
      await mustBe(target, real, expected);
      await rename(draft, target);
    } catch (cause) {
      await rm(draft, { force: true });
      throw cause;
    }
  });
}

/** Deletes a file that still holds what was read. */
export async function removeFile(real: string, check: Check, expected: Expected): Promise<void> {
  await inFolder(real, check, false, async (at) => {
    const target = at(basename(real));
    await regularFile(target, real);
    await mustBe(target, real, expected);
    await unlink(target);
  });
}

type At = (name: string) => string;

async function inFolder(
  real: string,
  check: Check,
  make: boolean,
  work: (at: At) => Promise<void>,
): Promise<void> {
  check(real);
  const folder = await reach(dirname(real), (actual) => check(join(actual, basename(real))), make);
  try {
    await work(await pathsIn(folder.handle, folder.path));
  } finally {
    await folder.handle.close();
  }
}

interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
}

/** Opens a folder, making it and those above it one by one, each inside the one that was just checked. */
async function reach(path: string, check: Check, make: boolean): Promise<OpenFolder> {
  try {
    return { handle: await openFolder(path, check), path };
  } catch (cause) {
    if (!make || !isMissing(cause) || dirname(path) === path) throw cause;
  }
  const name = basename(path);
  const parent = await reach(dirname(path), (actual) => check(join(actual, name)), make);
  try {
    const inside = (await pathsIn(parent.handle, parent.path))(name);
    await mkdir(inside).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
    });
    return { handle: await openFolder(inside, check), path };
  } finally {
    await parent.handle.close();
  }
}

async function pathsIn(handle: FileHandle, path: string): Promise<At> {
  const anchor = await anchorOf(handle);
  return (name) => `${anchor?.name ?? path}/${name}`;
}

async function regularFile(target: string, real: string): Promise<Stats | undefined> {
  const found = await lstat(target).catch(ignoreMissing);
  if (found?.isSymbolicLink()) throw fail('tool.refused', `${real} was replaced by a link meanwhile`);
  if (found?.isDirectory()) throw fail('tool.failed', `${real} is a folder`);
  if (found && !found.isFile()) throw fail('tool.refused', `${real} is not a regular file`);
  return found;
}

async function writeDraft(draft: string, bytes: Uint8Array, existing: Stats | undefined): Promise<void> {
  const handle = await open(draft, 'wx', existing ? 0o600 : 0o666);
  try {
    await handle.writeFile(bytes);
    if (existing) {
      if (process.geteuid?.() === 0) await handle.chown(existing.uid, existing.gid);
      await handle.chmod(existing.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function mustBe(target: string, real: string, expected: Expected | undefined): Promise<void> {
  if (!expected) return;
  const now = await readFile(target).catch(ignoreMissing);
  const same = now && expected.bytes ? now.equals(expected.bytes) : now === expected.bytes;
  if (!same) throw fail('tool.failed', `${real} was changed by someone else; read it again first`);
}

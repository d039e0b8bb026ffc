import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError, fail } from '#kit/app-error';
import type { Files, TextSearch } from '#spec/ports';
import type { FilePowers } from './file-powers.ts';
import { findNames } from './local/find-names.ts';
import { parseGlob } from './local/glob.ts';
import { anchorOf, openFile, openFolder, readBytes } from './local/open-file.ts';
import { isInside, whyUnreadable, whyUnwritable } from './local/path-rules.ts';
import { ignoreMissing } from '#adapters/io/ignore-missing';
import { realPathOf } from '#adapters/io/real-path';
import { type Expected, removeFile, replaceFile } from './local/replace-file.ts';
import { searchText } from './local/search-text.ts';

export interface LocalFilesOptions {
  /** The workspace: relative paths start here, and only here may be written. */
  readonly root: string;
  /** Files and folders that tools neither read nor write, such as the Hermes home. Credentials are known. */
  readonly protectedPaths: readonly string[];
  /** Folders inside protected ones that may be read all the same: what tools have kept for the conversation. */
  readonly readablePaths?: readonly string[];
  /** What `~/` stands for. */
  readonly userHome?: string;
}

/** `read` loads a file as a whole, so it refuses larger ones. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Left out of a search of the whole machine: some of what is there never ends, or waits for ever. */
const NOT_ON_DISK = ['proc', 'sys', 'dev'];

/**
 * The files of this machine. Every path is judged twice: where it leads with all links followed, and what was
 * really opened, so that a link swapped in between wins nothing.
 */
export function localFiles(options: LocalFilesOptions): Files & FilePowers {
  const guard = pathGuard(options);
  const { root } = guard;

  const open = async (path: string) => {
    const { real, check } = await guard.reading(path);
    return openFile(real, check);
  };
  const replace = async (path: string, bytes: Uint8Array, expected?: Expected) => {
    const { real, check } = await guard.writing(path);
    await replaceFile(real, bytes, check, expected);
  };

  return {
    root,
    stat: (path) =>
      told(path, async () => {
        const { real } = await guard.reading(path);
        const found = await stat(real).catch(ignoreMissing);
        if (!found) return undefined;
        const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
        return { kind, size: found.size, changedAt: found.mtimeMs };
      }),
    read: (path) =>
      told(path, async () => {
        await using handle = await open(path);
        const tooLarge = () => fail('tool.failed', `${path} is too large to be read as a whole`);
        if ((await handle.stat()).size > MOST_BYTES) throw tooLarge();
        const bytes = await readBytes(handle, 0, MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) throw tooLarge();
        return bytes;
      }),
    readPart: (path, start, length) =>
      told(path, async () => {
        await using handle = await open(path);
        return await readBytes(handle, start, length);
      }),
    list: (path) =>
      told(path, async () => {
        const { real } = await guard.reading(path);
        const entries = await readdir(real, { withFileTypes: true });
        return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      }),
    write: (path, bytes) => told(path, () => replace(path, bytes)),
    replace: (path, expected, bytes) => told(path, () => replace(path, bytes, { bytes: expected })),
    remove: (path, expected) =>
      told(path, async () => {
        const { real, check } = await guard.writing(path);
        await removeFile(real, check, { bytes: expected });
      }),
    find: (pattern, limit, signal) =>
      told(pattern, async () => {
        const glob = parseGlob(pattern);
        const { real, check, protectedPaths } = await guard.reading(glob.base || '.');
        if (!(await stat(real).catch(ignoreMissing))?.isDirectory()) return [];
        await using folder = await openFolder(real, check);
        const show = guard.shown(await realPathOf(root), real, protectedPaths);
        return await findNames(glob, (await anchorOf(folder))?.name ?? real, limit, show, signal);
      }),
    search: (search, signal) => told(search.path ?? '.', () => searchIn(guard, search, signal)),
  };
}

type PathGuard = ReturnType<typeof pathGuard>;

function pathGuard({ root: folder, protectedPaths, readablePaths = [], userHome }: LocalFilesOptions) {
  const root = resolve(folder);

  const absolute = (path: string) => {
    if (path.includes('\0')) throw fail('tool.refused', 'a path has no NUL characters');
    const fromHome = userHome !== undefined && /^~(?:[\\/]|$)/.test(path);
    return fromHome ? join(userHome, path.slice(1)) : resolve(root, path);
  };
  const held = async () => {
    const reals = await Promise.all(protectedPaths.map((path) => realPathOf(resolve(path))));
    return [...protectedPaths.map((path) => resolve(path)), ...reals];
  };
  const refuse = (verb: string, path: string, why: string | undefined) => {
    if (why) throw fail('tool.refused', `Refused to ${verb} ${path}: ${why}`);
  };

  return {
    root,
    async reading(path: string) {
      const asked = absolute(path);
      const [hidden, kept] = await Promise.all([held(), Promise.all(readablePaths.map(realPathOf))]);
      const check = (actual: string) => {
        if (kept.some((readable) => isInside(readable, actual))) return;
        refuse('read', path, whyUnreadable(actual, hidden));
      };
      if (!readablePaths.some((readable) => isInside(readable, asked))) check(asked);
      const real = await realPathOf(asked);
      check(real);
      return { real, check, protectedPaths: hidden };
    },
    async writing(path: string) {
      const asked = absolute(path);
      const [real, realRoot, hidden] = await Promise.all([realPathOf(asked), realPathOf(root), held()]);
      const check = (actual: string) => refuse('write', path, whyUnwritable(actual, realRoot, hidden));
      refuse('write', path, whyUnreadable(asked, hidden));
      check(real);
      return { real, check };
    },
    /** How paths below a real folder are shown: from the workspace where they lie in it; protected ones not at all. */
    shown(realRoot: string, from: string, hidden: readonly string[]) {
      return (path: string) => {
        const full = join(from, path);
        if (whyUnreadable(full, hidden)) return undefined;
        const name = isInside(realRoot, full) ? relative(realRoot, full) : full;
        const slashed = name.split(sep).join('/');
        return path.endsWith('/') && !slashed.endsWith('/') ? `${slashed}/` : slashed;
      };
    },
  };
}

async function searchIn(guard: PathGuard, search: TextSearch, signal: AbortSignal) {
  const path = search.path ?? '.';
  const { real, check, protectedPaths } = await guard.reading(path);
  const realRoot = await realPathOf(guard.root);
  const found = await stat(real).catch(ignoreMissing);
  if (!found) throw fail('tool.failed', `There is no ${path}`);
  const asked = { ...search, ...globBelow(path, search.glob) };
  if (found.isDirectory()) {
    await using folder = await openFolder(real, check);
    const show = guard.shown(realRoot, real, protectedPaths);
    const cwd = (await anchorOf(folder))?.name ?? real;
    const without = real === '/' ? NOT_ON_DISK : [];
    return await searchText(asked, { cwd, without, show }, signal);
  }
  await using file = await openFile(real, check);
  const name = guard.shown(realRoot, dirname(real), protectedPaths)(basename(real));
  return await searchText(asked, { cwd: realRoot, file: file.fd, show: () => name }, signal);
}

/** Globs count from the folder that is searched; one that repeats its path means the same. */
function globBelow(path: string, glob: string | undefined): { glob?: string } {
  if (glob === undefined || isAbsolute(path)) return {};
  const prefix = `${path.replace(/^\.\//, '').replace(/\/+$/, '')}/`;
  return glob.startsWith(prefix) ? { glob: glob.slice(prefix.length) } : {};
}

/** Turns what the system says into an error for whoever asked for the path. */
async function told<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof AppError || code === undefined || typeof code !== 'string') throw cause;
    throw fail('tool.failed', REASONS[code]?.(path) ?? `${path}: ${message}`, undefined, cause);
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file ${path}`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a folder`,
  EACCES: (path) => `The system does not allow access to ${path}`,
  EPERM: (path) => `The system does not allow that with ${path}`,
  ELOOP: (path) => `The links of ${path} go in a circle`,
  ENOSPC: (path) => `The disk is full: ${path} was not written`,
  EROFS: (path) => `The disk of ${path} can only be read`,
  ENAMETOOLONG: () => 'The path is too long',
};

import { randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ignoreMissing } from '#adapters/io/ignore-missing';
import { AppError } from '#kit/app-error';
import { storeFailure } from '#kit/store-failure';
import { processIsGone } from '#adapters/io/process-is-gone';

const ABANDONED_AFTER_MS = 60_000;

/**
 * Replaces a file's text as a whole: whatever happens, a reader sees the old text or the new one.
 * Without `mode` an existing file keeps its own and a new one is private (0600). A link is followed,
 * so that the file it points to is the one replaced. Missing folders are made, private (0700).
 */
export async function atomicWrite(
  path: string,
  text: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    await replace(await target(path), text, options.mode);
  } catch (cause) {
    const { message } = cause as Error;
    throw new AppError(
      storeFailure(cause, path) ?? {
        code: 'config.unreadable',
        message: `Cannot write ${path}: ${message}`,
        retry: { again: false },
      },
      { cause },
    );
  }
}

async function replace(path: string, text: string | Uint8Array, mode: number | undefined): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder, basename(path));
  const existing = await stat(path).catch(ignoreMissing);
  if (existing?.isDirectory()) throw new Error('it is a folder');
  const draft = join(folder, `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text, 'utf8');
      await handle.chmod(mode ?? (existing ? existing.mode & 0o7777 : 0o600));
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (existing && process.geteuid?.() === 0) await chown(draft, existing.uid, existing.gid);
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
  await syncFolder(folder);
}

/** The file that a path stands for, also when it is a link to a file that does not exist yet. */
async function target(path: string, depth = 0): Promise<string> {
  const real = await realpath(path).catch(ignoreMissing);
  if (real !== undefined) return real;
  const entry = await lstat(path).catch(ignoreMissing);
  if (!entry?.isSymbolicLink() || depth > 40) return path;
  return target(resolve(dirname(path), await readlink(path)), depth + 1);
}

/** Makes the rename itself durable. Some systems cannot sync a folder; the file is whole there all the same. */
async function syncFolder(folder: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof open>> | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (cause) {
    const unsupported = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'];
    if (!unsupported.includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  } finally {
    await handle?.close();
  }
}

/** Drafts of writers that were killed. Age is asked too: a home may be shared with processes we cannot see. */
async function removeAbandoned(folder: string, name: string): Promise<void> {
  const prefix = `.${name}.`;
  for (const entry of await readdir(folder)) {
    const [, pid] = entry.startsWith(prefix)
      ? (/^(\d+)\.[0-9a-f]{12}\.tmp$/.exec(entry.slice(prefix.length)) ?? [])
      : [];
    if (pid === undefined || !processIsGone(Number(pid))) continue;
    const draft = join(folder, entry);
    const found = await stat(draft).catch(ignoreMissing);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(draft, { force: true });
  }
}

import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimes, writeSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { dirname } from 'node:path';
import { AppError, fail } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import { storeFailure } from '#kit/store-failure';
import { processIsGone } from './process-is-gone.ts';

/** Who holds a lock; what the lock file says. */
interface Holder {
  readonly pid: number;
  readonly at: number;
  readonly host: string;
  readonly token: string;
}

const WAIT_MS = 10_000;
const TOUCH_MS = 15_000;
/** A lock that its holder has not touched for this long is dead, where its process cannot be asked. */
const SILENT_MS = 60_000;

const held = new Set<string>();

export interface FileLock {
  /** Whether nobody has taken it over. */
  isHeld(): boolean;
}

export interface LockWait {
  /** 10 s unless told. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/**
 * Runs `work` while no other process, and no other call here, runs under the lock of the same path. The lock of a process
 * that is gone is taken over. Throws when it cannot be had; `work` has then not begun.
 */
export async function withFileLock<T>(
  path: string,
  work: (lock: FileLock) => Promise<T>,
  { waitMs = WAIT_MS, signal = NEVER }: LockWait = {},
): Promise<T> {
  const lock = `${path}.lock`;
  const token = await acquire(lock, path, waitMs, signal);
  // A touch that fails only makes the lock look silent, which is what it then is.
  const touch = setInterval(() => utimes(lock, new Date(), new Date(), () => undefined), TOUCH_MS);
  touch.unref();
  try {
    return await work({ isHeld: () => readHolder(lock)?.token === token });
  } finally {
    clearInterval(touch);
    held.delete(token);
    release(lock, token);
  }
}

/**
 * False where the lock cannot be removed. It does not throw: what `work` did stands, and nobody may hear the opposite. Such
 * a lock is dead when this process is.
 */
function release(lock: string, token: string): boolean {
  try {
    if (readHolder(lock)?.token === token) rmSync(lock, { force: true });
    return true;
  } catch {
    return false;
  }
}

async function acquire(lock: string, path: string, waitMs: number, signal: AbortSignal): Promise<string> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const token = randomUUID();
    if (create(lock, token)) return token;
    if (isDead(lock) && takeOver(lock)) continue;
    if (performance.now() >= deadline) throw busy(lock, path, waitMs);
    if (!(await sleep(5 + Math.random() * 25, signal)))
      throw fail('tool.refused', `Stopped while waiting for the lock of ${path}. Nothing was done.`);
  }
}

/** True when the lock is ours. The file must not exist before: that is what makes it a lock. */
function create(lock: string, token: string): boolean {
  const holder: Holder = { pid: process.pid, at: Date.now(), host: hostname(), token };
  let file: number | undefined;
  try {
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
    file = openSync(lock, 'wx', 0o600);
    writeSync(file, JSON.stringify(holder));
    held.add(token);
    return true;
  } catch (cause) {
    if (file !== undefined) rmSync(lock, { force: true });
    else if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(lock, cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Removes a dead lock; false when someone else is at it. Only the holder of a second lock may, or else two processes that
 * both saw the dead one could remove each other's new one.
 */
function takeOver(lock: string): boolean {
  const guard = `${lock}.takeover`;
  const token = randomUUID();
  if (!create(guard, token)) {
    if (isDead(guard)) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (isDead(lock)) rmSync(lock, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
    held.delete(token);
  }
}

function isDead(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (!found) return false;
  const silent = Date.now() - found.mtimeMs > SILENT_MS;
  const holder = readHolder(lock);
  if (!holder || holder.host !== hostname()) return silent;
  // A number of before the last start of the machine, or our own in a new container, says nothing.
  if (silent && holder.at < Date.now() - uptime() * 1000) return true;
  if (holder.pid === process.pid) return !held.has(holder.token);
  return processIsGone(holder.pid);
}

/** Undefined while a lock is being written, or when something else wrote the file. */
function readHolder(lock: string): Holder | undefined {
  try {
    const holder: Partial<Holder> = JSON.parse(readFileSync(lock, 'utf8'));
    return typeof holder.pid === 'number' && typeof holder.token === 'string'
      ? (holder as Holder)
      : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError || (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unwritable(lock, cause);
  }
}

function busy(lock: string, path: string, waitMs: number): AppError {
  const holder = readHolder(lock);
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
  return new AppError({
    code: 'store.busy',
    message: `${path} has been locked by ${who} for more than ${waitMs / 1000} s. Nothing was done.`,
    hint: `If nothing is running, delete ${lock}`,
    retry: { again: true },
  });
}

function unwritable(lock: string, cause: unknown): AppError {
  const message = `Cannot lock ${lock}: ${(cause as Error).message}`;
  const record = { code: 'config.unreadable', message, retry: { again: false } } as const;
  return new AppError(storeFailure(cause, lock) ?? record, { cause });
}

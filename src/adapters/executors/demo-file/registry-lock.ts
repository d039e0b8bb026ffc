import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { sleep } from '#kit/sleep';
import { stopped } from '#adapters/io/before-effect';

const WAIT_MS = 10_000;
/** A lock of another machine, or one that cannot be read, is dead after this long. */
const SILENT_MS = 30_000;

const held = new Set<string>();

export interface RegistryLock {
  /** Whether nobody has taken it over. */
  isHeld(): boolean;
}

/**
 * Runs `work` while nobody else, here or in another process, runs under the lock of the same file. The lock of a process
 * that is gone is taken over. Throws when it cannot be had; `work` has then not begun.
 */
export async function withRegistryLock<T>(
  file: string,
  signal: AbortSignal,
  work: (lock: RegistryLock) => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const lock = `${file}.lock`;
  const token = randomUUID();
  const deadline = performance.now() + waitMs;
  while (!create(lock, token)) {
    if (performance.now() >= deadline) throw busy(file, lock);
    if (!removeDead(lock) && !(await sleep(5 + Math.random() * 20, signal))) throw stopped();
  }
  try {
    return await work({ isHeld: () => tokenIn(lock) === token });
  } finally {
    held.delete(token);
    if (tokenIn(lock) === token) rmSync(lock, { force: true });
  }
}

/** True when the lock is ours: the file must not have existed before. */
function create(lock: string, token: string): boolean {
  const holder = JSON.stringify({ pid: process.pid, host: hostname(), token });
  try {
    writeFileSync(lock, holder, { flag: 'wx', mode: 0o600 });
    held.add(token);
    return true;
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return false;
    throw fail('backend.unreachable', `Cannot lock ${lock}. Nothing was done.`, undefined, cause);
  }
}

/** Only under a second lock: else two that saw the dead one could remove each other's new one. */
function removeDead(lock: string): boolean {
  if (!isDead(lock)) return false;
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
  const holder = holderIn(lock);
  if (holder?.host !== hostname()) return Date.now() - found.mtimeMs > SILENT_MS;
  if (holder.pid === process.pid) return !held.has(String(holder.token));
  return isGone(Number(holder.pid));
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return errorCode(cause) === 'ESRCH';
  }
}

const tokenIn = (lock: string): unknown => holderIn(lock)?.token;

/** Undefined while it is being written, or when something else wrote it. */
function holderIn(lock: string): Record<string, unknown> | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(lock, 'utf8'));
    return isRecord(holder) ? holder : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError || errorCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

const errorCode = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : '');

const busy = (file: string, lock: string) =>
  fail('store.busy', `${file} is locked. Nothing was done.`, `If nothing is running, delete ${lock}.`);

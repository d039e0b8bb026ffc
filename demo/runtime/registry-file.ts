import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fail } from '#kit/app-error';
import { DeployRegistry, type DeployedService } from '#kit/deploy-registry';
import { newId } from '#kit/new-id';
import { wait } from './wait.ts';

const POLL_MS = 300;
const LOCK_TRIES = 200;
const LOCK_WAIT_MS = 20;
const LOCK_DEAD_MS = 30_000;

export function readRegistry(file: string): DeployRegistry {
  return DeployRegistry.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Readers see the old text or the new one, never half of it. */
export function writeRegistry(file: string, registry: DeployRegistry): void {
  const temporary = `${file}.${newId('new')}`;
  writeFileSync(temporary, `${JSON.stringify(registry, null, 2)}\n`);
  renameSync(temporary, file);
}

/**
 * Reads, changes and writes while no other editor does. The lock is `<file>.lock`, made by whoever edits the registry; one
 * that is this old belongs to nobody any more.
 */
export async function editRegistry(file: string, edit: (draft: DeployRegistry) => void): Promise<void> {
  const lock = `${file}.lock`;
  for (let tried = 0; !tookLock(lock); tried++) {
    if (tried === LOCK_TRIES)
      throw fail('store.busy', `${file} is locked.`, `If nothing is running, delete ${lock}.`);
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LOCK_DEAD_MS)
      rmSync(lock, { force: true });
    await wait(LOCK_WAIT_MS);
  }
  try {
    const draft = readRegistry(file);
    edit(draft);
    writeRegistry(file, draft);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** `host` is no machine's name, so that nobody looks for the process: only the age tells whether the lock is alive. */
function tookLock(lock: string): boolean {
  try {
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: '(demo)', token: newId('lock') }), {
      flag: 'wx',
    });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Calls `changed` now and whenever the file says something else, until the signal aborts. While it cannot be read the last
 * good word counts; it is read again when it has changed.
 */
export function watchRegistry(
  file: string,
  changed: (registry: DeployRegistry) => void,
  signal: AbortSignal,
): void {
  let seen = '';
  const look = (): void => {
    const found = statSync(file, { throwIfNoEntry: false });
    const mark = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
    if (mark === seen || mark === '') return;
    seen = mark;
    try {
      changed(readRegistry(file));
    } catch (error) {
      process.stderr.write(`${file} cannot be read: ${error instanceof Error ? error.message : error}\n`);
    }
  };
  look();
  const timer = setInterval(look, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** A number of the service's configuration, wherever it is one. */
export function setting(service: DeployedService, key: string, otherwise: number): number {
  const value = Number(service.config[key]);
  return Number.isFinite(value) && value > 0 ? value : otherwise;
}

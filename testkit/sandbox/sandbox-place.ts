import { accessSync, constants } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxPlace } from '#spec/ports';
import { keptLog } from '../log/kept-log.ts';

/** The limits that the contract counts on. */
const LIMITS: SandboxPlace['limits'] = { memoryMb: 96, processes: 48, cpuSeconds: 1 };

export interface TemporaryPlace {
  readonly place: SandboxPlace;
  close(): Promise<void>;
}

/** A place with an empty workspace of its own and the programs of this machine. */
export async function temporaryPlace(change: Partial<SandboxPlace> = {}): Promise<TemporaryPlace> {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'hermes-sandbox-')));
  const place: SandboxPlace = {
    name: 'test',
    workspace,
    hidden: [],
    limits: LIMITS,
    program: findProgram,
    key: () => undefined,
    env: process.env,
    log: keptLog(),
    ...change,
  };
  return { place, close: () => rm(workspace, { recursive: true, force: true }) };
}

/** A program of this machine in the folders of the system. */
export function findProgram(name: string): string | undefined {
  return ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

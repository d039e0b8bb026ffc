import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { SpawnService } from '../../../demo/index.ts';

const SERVICE_MAIN = join(import.meta.dirname, '../../../demo/service-main.ts');

/** Starts services from source, and keeps every process that it started. */
export function spawnFromSource(): {
  readonly spawn: SpawnService;
  readonly started: readonly ChildProcess[];
} {
  const started: ChildProcess[] = [];
  return {
    started,
    spawn: (args, env) => {
      const child = spawn(process.execPath, [SERVICE_MAIN, ...args], {
        env: { ...process.env, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      started.push(child);
      return child;
    },
  };
}

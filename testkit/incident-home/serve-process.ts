import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { IncidentHome } from './make-home.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
/** Halves the time that a process takes to begin. */
const COMPILE_CACHE = join(tmpdir(), 'incident-home-compile-cache');

export interface ServingProcess {
  readonly process: ChildProcess;
  readonly url: string;
  /** What it complained of, line by line. */
  readonly complaints: readonly string[];
  /** As the machine would do it: nothing is put in order. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** As a person would do it. Resolves to its exit code. */
  stop(): Promise<number | null>;
}

/**
 * `hermes serve` in a process of its own, on a free port unless one is named. Resolves when it listens. `enter` is put
 * before the command.
 */
export async function startServing(
  home: Pick<IncidentHome, 'env'>,
  port = 0,
  enter: readonly string[] = [],
): Promise<ServingProcess> {
  const [program, ...args] = [...enter, process.execPath, MAIN, 'serve', '--port', String(port)];
  const child = spawn(program, args, {
    env: { ...home.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'close');
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await gone;
    return child.exitCode;
  };
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (found) resolve(found);
    });
    void gone.then(() => reject(new Error(`serving ended at once:\n${complaints.join('\n')}`)), reject);
  });
  return {
    process: child,
    url,
    complaints,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

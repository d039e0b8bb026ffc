import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChildTask, runChild } from './child.ts';
import type { DurableUnderTest } from './under-test.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CHILD = new URL('./child.ts', import.meta.url).href;
const RUN: typeof runChild.name = 'runChild';

export interface Child {
  readonly process: ChildProcess;
  /** What it has printed, line by line. */
  readonly printed: readonly string[];
  readonly complaints: readonly string[];
  /** How it ended: an exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** A process of its own that opens the implementation and does the task. */
export function startChild(
  { module, exported }: DurableUnderTest,
  task: ChildTask,
  compileCache: string,
): Child {
  const code = `import { ${RUN} } from '${CHILD}'; import { ${exported} } from '${module}';
    await ${RUN}(${exported}, JSON.parse(process.argv.at(-1)));`;
  const args = ['--input-type=module', '-e', code, JSON.stringify(task)];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Halves the time that a child takes to begin; it is written by those that end by themselves.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  const printed: string[] = [];
  const complaints: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line));
  const ended = once(child, 'close').then(
    ([exit, signal]) => (signal ?? exit) as number | NodeJS.Signals | null,
  );
  return { process: child, printed, complaints, ended };
}

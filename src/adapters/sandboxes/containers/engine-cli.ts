import { tmpdir } from 'node:os';
import { type ChildProcess, spawn } from 'node:child_process';
import type { CommandSpec } from '#spec/ports';
import { inputOf } from '../process/input-of.ts';
import { type BytesAnswer, runBytes } from '../process/run-bytes.ts';
import type { Exec, ExecEnd, OnBytes } from './supervised-command.ts';

/** What the command line of an engine needs to find its service and its files. Nothing of it reaches a container. */
const CLIENT_VARIABLES =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|XDG_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS|DOCKER_[A-Z_]+|CONTAINERS?_[A-Z_]+|STORAGE_[A-Z_]+|SINGULARITY_[A-Z_]+|APPTAINER_[A-Z_]+)$/;

/** The engine's monitor leaves a file where it was started when the kernel ends something for want of memory. */
const AWAY = tmpdir();

const MAX_ANSWER_BYTES = 64 * 2 ** 20;

interface RunOptions {
  readonly input?: Uint8Array;
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The command line of a container engine. */
export interface EngineCli {
  run(args: readonly string[], options: RunOptions): Promise<BytesAnswer>;
  /** Starts a command. `end` is asked what the end of the client means, `kill` to end it. */
  start(plan: StartPlan): Promise<Exec>;
}

interface StartPlan {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: CommandSpec['input'];
  conclude(end: ExecEnd): Promise<ExecEnd>;
  /** Ends the command; `ended` resolves when the client has seen it. */
  kill(client: ChildProcess, ended: Promise<unknown>): Promise<void>;
}

export function engineCli(program: string): EngineCli {
  const own = clientEnvironment(process.env);
  return {
    run: (args, { input, timeoutMs, env }) =>
      runBytes({
        file: program,
        args,
        env: { ...own, ...env },
        cwd: AWAY,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        ...(input === undefined ? {} : { input }),
      }),
    start: (plan) => startClient(program, { ...own, ...plan.env }, plan),
  };
}

function clientEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && CLIENT_VARIABLES.test(entry[0]),
  );
  return Object.fromEntries(passed);
}

async function startClient(program: string, env: Record<string, string>, plan: StartPlan): Promise<Exec> {
  const child = spawn(program, plan.args, {
    env,
    cwd: AWAY,
    detached: true,
    stdio: [plan.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const exited = new Promise<ExecEnd>((resolve) => {
    child.once('error', () => resolve({ code: null, lost: true }));
    child.once('exit', (code, signal) => resolve({ code, ...(signal ? { signal } : {}) }));
  });
  const stdin = inputOf(child.stdin, plan.input);
  const concluded = exited
    .then((end) => plan.conclude(end))
    .catch((): ExecEnd => ({ code: null, lost: true }));
  const follow = (onBytes: OnBytes) =>
    new Promise<void>((resolve) => {
      child.stdout?.on('data', (bytes: Buffer) => onBytes('stdout', bytes));
      child.stderr?.on('data', (bytes: Buffer) => onBytes('stderr', bytes));
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
  return {
    follow,
    ended: concluded,
    write: (bytes) => stdin.write(Buffer.from(bytes).toString('utf8')),
    closeInput: stdin.closeInput,
    kill: () => plan.kill(child, exited),
  };
}

/** Whether a promise is settled within so many milliseconds. */
export async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  const first = await Promise.race([settled, late]);
  clearTimeout(timer);
  return first;
}

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fail } from '#kit/app-error';
import { eventStream } from '#kit/event-stream';
import type { CommandEnd, CommandSpec, OutputChunk, RunningCommand } from '#spec/ports';
import { collectOutput } from './collect-output.ts';
import { inputOf } from './input-of.ts';

type Stopped = NonNullable<CommandEnd['stopped']>;

/** How a process ended, before what its sandbox knows about it is added. */
export interface RawEnd {
  readonly code: number | null;
  readonly signal?: string;
  readonly stopped?: Stopped;
}

/** One process of this machine that stands for a command, and how its sandbox deals with it. */
export interface ProcessPlan {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Where this process starts; the folder of the command is a matter of its shell. */
  readonly cwd: string;
  /** Descriptors from 3 on: `pipe`, or a descriptor of ours. */
  readonly descriptors?: readonly ('pipe' | number)[];
  /** Told once, after the start. `stop` ends the command for a limit that was hit. */
  started?(child: ChildProcess, stop: (reason: Stopped) => void): void;
  /** Ends everything that the process started, itself included. Also called after it ended by itself. */
  sweep(child: ChildProcess): Promise<void>;
  /** What is known when it is over. Must not throw. */
  conclude(raw: RawEnd): Promise<RawEnd & { readonly cwd: string }>;
}

/** How long the streams of a swept process may stay open before they are cut. */
const DRAIN_MS = 1_000;

/** Starts a process for a command: its limits of time and output, its input, its end. Rejects if it cannot start. */
export async function startProcess(
  plan: ProcessPlan,
  spec: CommandSpec,
  signal: AbortSignal,
): Promise<RunningCommand> {
  if (signal.aborted) return calledOff(spec.cwd ?? plan.cwd);
  const begun = performance.now();
  const child = await spawned(plan, spec.input !== undefined);
  let stopped: Stopped | undefined;
  let swept: Promise<void> | undefined;
  const sweep = () => (swept ??= plan.sweep(child));
  const stop = (reason: Stopped) => {
    stopped ??= reason;
    void sweep();
  };
  const input = inputOf(child.stdin, spec.input);
  const stream = eventStream<OutputChunk, CommandEnd>(async (emit) => {
    const timer = setTimeout(stop, spec.timeoutMs, 'time');
    const onAbort = () => stop('killed');
    signal.addEventListener('abort', onAbort, { once: true });
    const flush = collectOutput(child, spec.maxOutputBytes, emit, () => stop('output'));
    const raw = await exited(child);
    const ms = Math.max(1, Math.round(performance.now() - begun));
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await sweep();
    await closed(child);
    flush();
    return { ...(await plan.conclude({ ...raw, ...(stopped ? { stopped } : {}) })), ms };
  });
  plan.started?.(child, stop);
  if (signal.aborted) stop('killed');
  return {
    output: stream,
    ended: stream.result(),
    ...input,
    kill: async () => {
      stop('killed');
      await stream.result();
    },
  };
}

function spawned(plan: ProcessPlan, withInput: boolean): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      reject(fail('tool.failed', `The command could not be started: ${why}`, undefined, cause));
    };
    try {
      const child = spawn(plan.file, plan.args, {
        env: { ...plan.env },
        cwd: plan.cwd,
        detached: true,
        stdio: [withInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(plan.descriptors ?? [])],
      });
      child.once('error', refuse);
      child.once('spawn', () => resolve(child));
    } catch (thrown) {
      refuse(thrown);
    }
  });
}

function exited(child: ChildProcess): Promise<RawEnd> {
  const end = (code: number | null, by: string | null): RawEnd => ({ code, ...(by ? { signal: by } : {}) });
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve(end(child.exitCode, child.signalCode));
  }
  return new Promise((resolve) => child.once('exit', (code, by) => resolve(end(code, by))));
}

/** All streams at their end. Whoever still holds one after the sweep is not waited for. */
async function closed(child: ChildProcess): Promise<void> {
  const open = child.stdio.filter((stream): stream is Readable => isOpenReadable(stream));
  const ends = open.map((stream) => new Promise((resolve) => stream.once('close', resolve)));
  const timer = setTimeout(() => {
    for (const stream of open) stream.destroy();
  }, DRAIN_MS);
  await Promise.all(ends);
  clearTimeout(timer);
  child.stdin?.destroy();
}

function isOpenReadable(stream: Readable | Writable | null | undefined): boolean {
  return stream !== null && stream !== undefined && 'readable' in stream && !stream.closed;
}

/** A command that was called off before it began. */
export function calledOff(cwd: string): RunningCommand {
  const end: CommandEnd = { code: null, stopped: 'killed', cwd, ms: 0 };
  const stream = eventStream<OutputChunk, CommandEnd>(() => Promise.resolve(end));
  const refuse = () => Promise.reject(fail('tool.failed', 'The command was called off before it began.'));
  return {
    output: stream,
    ended: stream.result(),
    write: refuse,
    closeInput: () => Promise.resolve(),
    kill: () => Promise.resolve(),
  };
}

import { fail } from '#kit/app-error';
import { eventStream } from '#kit/event-stream';
import { sleep } from '#kit/sleep';
import type { CommandEnd, CommandSpec, OutputChunk, RunningCommand, SandboxPlace } from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { outputFilter } from './output-filter.ts';

/** How the program that stands for the command came to its end. */
export interface ExecEnd {
  readonly code: number | null;
  readonly signal?: string;
  /** The sandbox is gone, or never took the command. */
  readonly lost?: boolean;
  /** It ran into the memory limit. */
  readonly memory?: boolean;
}

export type OnBytes = (stream: OutputChunk['stream'], bytes: Uint8Array) => void;

/** One command under way in a sandbox, as its transport sees it. */
export interface Exec {
  /** Hands on what comes and resolves when nothing more does. Asked once. Never rejects. */
  follow(onBytes: OnBytes): Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<ExecEnd>;
  write(bytes: Uint8Array): Promise<void>;
  closeInput(): Promise<void>;
  /** Ends everything that the command started, itself included. Resolves when nothing is left. */
  kill(): Promise<void>;
}

type Stop = NonNullable<CommandEnd['stopped']>;

/** How long a command that was killed may keep its end waiting, and one whose output stays open. */
const GRACE_MS = 5_000;
const DRAIN_MS = 1_000;
const SIGXCPU_CODE = 128 + 24;

/** Turns what a transport runs into a command of the port: streams, limits of time and output, abort, working folder. */
export function superviseCommand(
  exec: Exec,
  spec: CommandSpec,
  signal: AbortSignal,
  options: {
    readonly token: string;
    readonly workspace: string;
    readonly place: Pick<SandboxPlace, 'name' | 'log'>;
  },
): RunningCommand {
  const began = performance.now();
  let stopped: Stop | undefined;
  let killing: Promise<void> | undefined;
  let whenStopped: (() => void) | undefined;
  // What cannot be killed shows in that no end comes.
  const kill = () => (killing ??= exec.kill().catch(goOnWithout(options.place, 'ending a command')));
  const stop = (reason: Stop) => {
    stopped ??= reason;
    void kill();
    whenStopped?.();
  };
  const stream = eventStream<OutputChunk, CommandEnd>(async (emit) => {
    const timer = setTimeout(stop, spec.timeoutMs, 'time');
    const onAbort = () => stop('killed');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const filter = outputFilter(options.token, spec.maxOutputBytes, emit, () => stop('output'));
    const over = new AbortController();
    const followed = exec.follow(filter.take);
    const given = new Promise<ExecEnd>((resolve) => {
      const giveUp = async () => {
        await killing;
        if (await sleep(GRACE_MS, over.signal)) resolve({ code: null });
      };
      whenStopped = () => void giveUp();
      if (stopped) whenStopped();
    });
    const last = await Promise.race([exec.ended, given]);
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    const ms = Math.max(1, Math.round(performance.now() - began));
    await Promise.race([followed, sleep(DRAIN_MS, over.signal)]);
    // A shell that was killed from inside could not end what it left behind.
    if (!last.lost && filter.seen.started && !filter.seen.ended) void kill();
    await killing;
    over.abort();
    filter.flush();
    const cwd = filter.seen.cwd ?? spec.cwd ?? options.workspace;
    return { ...conclude(last, stopped, filter.seen.started), cwd, ms };
  });
  return {
    output: stream,
    ended: stream.result(),
    write: async (text) => {
      if (spec.input !== 'open') throw fail('tool.failed', 'The command takes no input.');
      await exec.write(Buffer.from(text));
    },
    closeInput: async () => {
      if (spec.input === 'open') await exec.closeInput();
    },
    kill: async () => {
      stop('killed');
      await stream.result();
    },
  };
}

function conclude(
  last: ExecEnd,
  stopped: Stop | undefined,
  started: boolean,
): Omit<CommandEnd, 'cwd' | 'ms'> {
  const lost = last.lost || !started ? ('lost' as const) : undefined;
  const limit = last.memory
    ? ('memory' as const)
    : last.code === SIGXCPU_CODE
      ? ('time' as const)
      : undefined;
  const why = stopped ?? lost ?? limit;
  return {
    code: stopped || lost ? null : last.code,
    ...(last.signal ? { signal: last.signal } : {}),
    ...(why ? { stopped: why } : {}),
  };
}

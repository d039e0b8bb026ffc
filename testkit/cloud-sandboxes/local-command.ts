import { type ChildProcess, spawn } from 'node:child_process';

export type StreamName = 'stdout' | 'stderr';

/** A real process that stands for one in the cloud. */
export interface LocalCommand {
  readonly code: number | undefined;
  readonly signal: number | undefined;
  /** What it printed so far. */
  printed(stream: StreamName): Buffer;
  write(bytes: Uint8Array): void;
  closeInput(): void;
  kill(): void;
  /** Called at everything new: output, and the end. */
  onChange(listener: () => void): () => void;
}

const KILL = 9;

/** The environment of the cloud is not the one that the tests run in. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' };

export function startLocalCommand(
  argv: readonly string[],
  onData?: (stream: StreamName, bytes: Buffer) => void,
): LocalCommand {
  const [file = 'true', ...args] = argv;
  const child: ChildProcess = spawn(file, args, { env: ENVIRONMENT, detached: true, stdio: 'pipe' });
  const printed: Record<StreamName, Buffer[]> = { stdout: [], stderr: [] };
  const listeners = new Set<() => void>();
  let end: { code: number | undefined; signal: number | undefined } | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (bytes: Buffer) => {
      printed[stream].push(bytes);
      onData?.(stream, bytes);
      tell();
    });
  }
  child.stdin?.on('error', () => child.stdin?.destroy());
  const finish = (code: number | undefined, signal: number | undefined) => {
    end ??= { code, signal };
    tell();
  };
  child.once('error', () => finish(127, undefined));
  child.once('close', (code, signal) => finish(code ?? undefined, signal ? KILL : undefined));
  return {
    get code() {
      return end?.code;
    },
    get signal() {
      return end?.signal;
    },
    printed: (stream) => Buffer.concat(printed[stream]),
    write: (bytes) => void child.stdin?.write(bytes),
    closeInput: () => void child.stdin?.end(),
    kill: () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
      }
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

import { spawn } from 'node:child_process';

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs: number;
  /** Output beyond this ends the program. */
  readonly maxBytes: number;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stopped?: 'time' | 'output' | 'interrupted' | 'start';
}

/** Runs a program of this machine with exactly these arguments and nothing else in its environment. No shell. */
export function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ code: null, stdout: '', stderr: '', stopped: 'interrupted' });
    const child = spawn(run.program, run.args, {
      env: { ...run.env },
      ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that helpers that it starts end with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let stopped: ProgramEnd['stopped'];
    const out = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let held = 0;
    const stop = (why: NonNullable<ProgramEnd['stopped']>) => {
      stopped ??= why;
      killGroup(child.pid);
      // A helper that left the group would keep the pipes, and the wait for their end, open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const interrupt = () => stop('interrupted');
    const timer = setTimeout(() => stop('time'), run.timeoutMs);
    signal.addEventListener('abort', interrupt, { once: true });
    const take = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
      out[stream].push(chunk.subarray(0, Math.max(0, run.maxBytes - held)));
      held += chunk.length;
      if (held > run.maxBytes) stop('output');
    };
    child.stdout.on('data', take('stdout'));
    child.stderr.on('data', take('stderr'));
    const finish = (code: number | null, problem = '') => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      const [stdout, stderr] = [out.stdout, out.stderr].map((chunks) =>
        Buffer.concat(chunks).toString('utf8'),
      );
      resolve({
        code,
        stdout: stdout ?? '',
        stderr: `${stderr ?? ''}${problem}`,
        ...(stopped ? { stopped } : {}),
      });
    };
    child.on('error', (error) => {
      stopped ??= 'start';
      finish(null, error.message);
    });
    child.on('close', (code) => finish(code));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

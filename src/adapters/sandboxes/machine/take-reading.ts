import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readingWords } from '#kit/reading-words';
import type { MachineReading } from '#spec/data';
import type { CommandEnd, OutputChunk } from '#spec/ports';

/** Where the system keeps its programs: what a user or a workspace has put on a path of its own takes no part. */
const FOLDERS = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin'];
const OTHERS_WRITE = 0o022;
const NOT_FOUND = 127;

interface ReadingOptions {
  /** Where relative paths of the reading begin. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

/**
 * Takes a reading on this machine, outside of every sandbox: a program of the system with fixed words, no shell, no
 * input, and nothing of the environment of Hermes.
 */
export async function takeReading(
  reading: MachineReading,
  { cwd, timeoutMs, maxOutputBytes }: ReadingOptions,
  signal: AbortSignal,
  onOutput: (chunk: OutputChunk) => void,
): Promise<CommandEnd> {
  const begun = performance.now();
  const end = (rest: Omit<CommandEnd, 'cwd' | 'ms'>): CommandEnd => ({
    ...rest,
    cwd,
    ms: performance.now() - begun,
  });
  const [name, ...words] = readingWords(reading);
  const program = FOLDERS.map((folder) => join(folder, name)).find(isProgram);
  if (!program) {
    onOutput({ stream: 'stderr', text: `${name}: not installed on this machine\n` });
    return end({ code: NOT_FOUND });
  }
  let stopped: CommandEnd['stopped'];
  let bytes = 0;
  const child = spawn(program, words, {
    cwd,
    env: { PATH: FOLDERS.join(':'), LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (why: NonNullable<CommandEnd['stopped']>) => {
    stopped ??= why;
    child.kill('SIGKILL');
    // A file system that does not answer keeps its reader for ever; nobody waits for that.
    child.stdout.destroy();
    child.stderr.destroy();
    child.emit('close', null, 'SIGKILL');
  };
  const timer = setTimeout(() => stop('time'), timeoutMs);
  const abort = () => stop('killed');
  signal.addEventListener('abort', abort, { once: true });
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      bytes += Buffer.byteLength(text);
      if (bytes > maxOutputBytes) stop('output');
      else onOutput({ stream, text });
    });
  try {
    if (signal.aborted) stop('killed');
    const [code] = (await once(child, 'close')) as [number | null];
    return end({ code, ...(stopped ? { stopped } : {}) });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** One that nobody but root can have put there or changed. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return [path, dirname(path)].every((each) => {
      const { uid, mode } = statSync(each);
      return uid === 0 && (mode & OTHERS_WRITE) === 0;
    });
  } catch {
    return false;
  }
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fail } from '#kit/app-error';

const ALWAYS = ['--no-config', '--no-messages', '--no-require-git', '--color=never', '--sort=path'];
const MOST_STDERR = 2_000;

/**
 * Runs ripgrep and yields its output piece by piece, cut at `separator`. The process is killed when the reader
 * stops early and when `signal` fires, which also throws the signal's reason. `stdin` is an open file for `-`.
 */
export async function* ripgrep(
  args: readonly string[],
  separator: '\n' | '\0',
  cwd: string,
  signal: AbortSignal,
  stdin?: number,
): AsyncGenerator<string> {
  signal.throwIfAborted();
  const program = await binary();
  signal.throwIfAborted();
  const child = spawn(program, [...ALWAYS, ...args], {
    cwd,
    env: {},
    stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const closed = once(child, 'close');
  // It is awaited below, after what the program says was read.
  closed.catch(() => undefined);
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, MOST_STDERR);
  });
  try {
    yield* pieces(child.stdout.setEncoding('utf8'), separator);
    const [code] = await closed;
    signal.throwIfAborted();
    // 2 without a complaint: some files could not be read, which is no reason to hide the others.
    if (code === 2 && complaint) throw fail('tool.failed', complaint.replace(/^rg: /, '').trim());
  } catch (cause) {
    signal.throwIfAborted();
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw missing(cause);
    throw cause;
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

async function* pieces(chunks: AsyncIterable<string>, separator: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split(separator);
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest) yield rest;
}

async function binary(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (cause) {
    throw missing(cause);
  }
}

const missing = (cause: unknown) =>
  fail(
    'tool.failed',
    'Searching needs ripgrep, which is missing here',
    'Install again with optional dependencies (npm ci).',
    cause,
  );

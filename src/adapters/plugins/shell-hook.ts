import { spawn } from 'node:child_process';
import { markLine, newMark } from '#kit/command-mark';

const MOST_OUTPUT = 1024 * 1024;

/**
 * Runs a command line in the plugin's folder, with JSON on its input and next to nothing in its environment, and reads
 * JSON or nothing from its output. Throws when it fails, prints anything else, or is aborted; everything that it started
 * is killed then.
 */
export async function shellHook(
  command: string,
  input: unknown,
  { cwd, path, signal }: { readonly cwd: string; readonly path: string; readonly signal: AbortSignal },
): Promise<unknown> {
  signal.throwIfAborted();
  const child = spawn('sh', ['-c', `${markLine(newMark())}; ${command}`], {
    cwd,
    env: { PATH: path, LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own group, so that what it started can be ended with it.
    detached: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const output: string[] = [];
  const complaints: string[] = [];
  let size = 0;
  const keep = (into: string[]) => (chunk: string) => {
    size += chunk.length;
    if (size > MOST_OUTPUT) reject(new Error('it printed more than 1 MB'));
    else into.push(chunk);
  };
  child.stdout.setEncoding('utf8').on('data', keep(output));
  child.stderr.setEncoding('utf8').on('data', keep(complaints));
  child.on('error', reject);
  child.on('close', (code) => resolve(code));
  // A hook need not read what it is told.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify(input)}\n`);
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const code = await promise;
    if (code !== 0)
      throw new Error(
        [`it ended with code ${code}`, complaints.join('').trim().slice(-300)].filter(Boolean).join(': '),
      );
    return parseOutput(output.join(''));
  } finally {
    signal.removeEventListener('abort', onAbort);
    killGroup(child.pid);
  }
}

function parseOutput(text: string): unknown {
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`it printed no JSON: ${text.trim().slice(0, 100)}`);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

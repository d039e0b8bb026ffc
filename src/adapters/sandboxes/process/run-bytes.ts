import { spawn } from 'node:child_process';
import { fail } from '#kit/app-error';

interface BytesRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: Uint8Array | string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Descriptors of ours that it gets from 3 on. */
  readonly descriptors?: readonly (number | 'ignore')[];
}

export interface BytesAnswer {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** Its beginning, for messages. */
  readonly stderr: string;
}

const MESSAGE_CHARS = 2_000;

/** Runs a short helper program and collects its bytes. Rejects when it cannot start, or exceeds time or size. */
export function runBytes(request: BytesRequest): Promise<BytesAnswer> {
  const { file, args, env, cwd, input, timeoutMs, maxBytes, descriptors = [] } = request;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...descriptors],
    });
    const parts: Buffer[] = [];
    let size = 0;
    let stderr = '';
    const give = (message: string, cause?: unknown) => {
      child.kill('SIGKILL');
      reject(fail('tool.failed', message, undefined, cause));
    };
    const timer = setTimeout(give, timeoutMs, `${file} did not answer within ${timeoutMs} ms.`);
    child.stdout?.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size > maxBytes) give(`It is larger than ${maxBytes} bytes.`);
      else parts.push(bytes);
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      if (stderr.length < MESSAGE_CHARS) stderr += bytes.toString('utf8').slice(0, MESSAGE_CHARS);
    });
    // A program that ends without reading its input tells why by its code.
    child.stdin?.on('error', () => child.stdin?.destroy());
    child.stdin?.end(input);
    child.once('error', (cause) => {
      clearTimeout(timer);
      give(`${file} could not be started: ${cause.message}`, cause);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout: Buffer.concat(parts), stderr });
    });
  });
}

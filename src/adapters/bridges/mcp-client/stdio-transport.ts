import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import {
  ReadBuffer,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { markedWords, newMark } from '#kit/command-mark';
import { descendants, killTree } from './kill-tree.ts';
import type { TextRing } from './text-ring.ts';

export interface StdioPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** All that the process sees of an environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where its standard error goes. */
  readonly output: TextRing;
}

/** One message may not be longer than this. */
const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;
const POLITE_MS = 1_000;
const STERN_MS = 1_000;

/**
 * A server as a child process that leads its own group, so that it can be ended with everything it started. The SDK
 * knows a transport over pipes by its `pid` and `stderr`.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  readonly #plan: StdioPlan;
  readonly #buffer = new ReadBuffer({ maxBufferSize: MOST_MESSAGE_BYTES });
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #delivering = false;

  constructor(plan: StdioPlan) {
    this.#plan = plan;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): Promise<void> {
    const { env, cwd, output } = this.#plan;
    const [command, args] = markedIfThere(this.#plan);
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { env: { ...env }, cwd, detached: true, windowsHide: true });
      this.#child = child;
      const { promise, resolve: exited } = Promise.withResolvers<void>();
      this.#exited = promise;
      child.once('spawn', resolve);
      child.once('error', (error) => {
        exited();
        reject(error);
      });
      // `exit`, not `close`: a grandchild that holds the pipes must not keep a dead server alive.
      child.once('exit', (code, signal) => {
        output.add(`\n[ended with ${signal ?? `code ${code}`}]\n`);
        exited();
        this.#ended(child);
      });
      child.stdin.on('error', (error) => this.onerror?.(error));
      child.stdout.on('error', (error) => this.onerror?.(error));
      child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
      child.stderr.setEncoding('utf8').on('data', (text: string) => output.add(text));
    });
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    void this.#deliver();
  }

  async #deliver(): Promise<void> {
    if (this.#delivering) return;
    this.#delivering = true;
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) break;
        this.onmessage?.(message);
        // The SDK hears of progress one step later than of an answer, and of no progress after it.
        if (!('id' in message)) await Promise.resolve();
      } catch (error) {
        // A line that is no message: servers print banners. The next line may be one.
        this.onerror?.(error as Error);
      }
    }
    this.#delivering = false;
  }

  #ended(child: ChildProcessWithoutNullStreams): void {
    if (child.pid !== undefined) killTree(child.pid, 'SIGKILL');
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#buffer.clear();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('the server is not running'));
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Asks it to end by closing its input, then tells it, then makes it. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    const family = descendants(child.pid);
    child.stdin.end();
    if (!(await within(this.#exited, POLITE_MS))) {
      killTree(child.pid, 'SIGTERM');
      await within(this.#exited, STERN_MS);
    }
    killTree(child.pid, 'SIGKILL', family);
    await this.#exited;
  }
}

/** With the mark of what Hermes starts. A program that is not there is left for the system to say so. */
function markedIfThere({ command, args, env, cwd }: StdioPlan): readonly [string, readonly string[]] {
  const folders = command.includes('/') ? [cwd] : (env['PATH'] ?? '').split(':');
  const found =
    process.platform === 'linux' && folders.some((folder) => existsSync(resolvePath(folder, command)));
  return found ? markedWords(newMark(), [command, ...args]) : [command, args];
}

async function within(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([ended.then(() => true as const), late]);
  clearTimeout(timer);
  return inTime;
}

import { sleep } from '#kit/sleep';
import type { BackgroundProcess, CommandEnd, RunningCommand } from '#spec/ports';
import { outputRing } from './output-ring.ts';

export interface Background {
  readonly running: RunningCommand;
  state(): BackgroundProcess;
  read(from: number): { readonly text: string; readonly next: number };
  /** Resolves at its end with all output read, after `ms`, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  kill(): Promise<void>;
}

/** Follows a command that was left running and keeps the end of what it prints. */
export function backgroundProcess(
  started: Pick<BackgroundProcess, 'id' | 'command' | 'backend' | 'cwd'>,
  running: RunningCommand,
  keepChars: number,
): Background {
  const startedAt = Date.now();
  const ring = outputRing(keepChars);
  let end: CommandEnd | undefined;
  const over = follow();

  async function follow(): Promise<void> {
    for await (const { text } of running.output) ring.append(text);
    end = await running.ended;
  }

  return {
    running,
    state: () => ({ ...started, startedAt, ...(end ? { end } : {}) }),
    read: (from) => ring.after(from),
    async wait(ms, signal) {
      const waiting = new AbortController();
      await Promise.race([over, sleep(ms, AbortSignal.any([signal, waiting.signal]))]);
      waiting.abort();
    },
    async kill() {
      await running.kill();
      await over;
    },
  };
}

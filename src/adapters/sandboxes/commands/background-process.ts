import { sleep } from '#kit/sleep';
import type { BackgroundProcess, CommandEnd, RunningCommand } from '#spec/ports';

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

/** The end of a long text, addressed by positions in the whole of it. */
interface OutputRing {
  append(text: string): void;
  /** What stands after a position. Where the beginning is gone, a line says how much is missing. */
  after(position: number): { readonly text: string; readonly next: number };
}

/** Keeps at least `keep` characters, and never more than twice as many. */
function outputRing(keep: number): OutputRing {
  let kept = '';
  let dropped = 0;
  return {
    append(text) {
      kept += text;
      if (kept.length <= keep * 2) return;
      dropped += kept.length - keep;
      kept = kept.slice(-keep);
    },
    after(position) {
      const next = dropped + kept.length;
      if (position >= next) return { text: '', next };
      if (position >= dropped) return { text: kept.slice(Math.max(0, position) - dropped), next };
      const missing = dropped - Math.max(0, position);
      return { text: `[${missing} characters are not kept any more]\n${kept}`, next };
    },
  };
}

import { fail } from '#kit/app-error';
import type { RunningCommand } from '#spec/ports';

interface RunningCommands {
  /** Starts a command and keeps it until it ends. Rejects once the sandbox is closed. */
  add(start: () => Promise<RunningCommand>): Promise<RunningCommand>;
  /** Rejects once the sandbox is closed. */
  assertOpen(): void;
  /** Kills what runs. True for the first caller, who then gives back what the sandbox holds. */
  close(): Promise<boolean>;
}

/** The commands of one sandbox that have not ended. */
export function runningCommands(sandbox: string): RunningCommands {
  const running = new Set<RunningCommand>();
  const starting = new Set<Promise<RunningCommand>>();
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw fail('tool.failed', `The sandbox '${sandbox}' is closed.`);
  };
  return {
    assertOpen,
    async add(start) {
      assertOpen();
      const promise = start();
      starting.add(promise);
      try {
        const command = await promise;
        running.add(command);
        void command.ended.then(() => running.delete(command));
        return command;
      } finally {
        starting.delete(promise);
      }
    },
    async close() {
      if (isClosed) return false;
      isClosed = true;
      await Promise.allSettled(starting);
      await Promise.all([...running].map((command) => command.kill()));
      return true;
    },
  };
}

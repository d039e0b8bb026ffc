import type { Logger } from '../telemetry/logger.ts';
import { between } from './wait.ts';

export interface Crash {
  /** Whether the process meets the broken snapshot. */
  set(broken: boolean): void;
  close(): void;
}

const AFTER_MS = [250, 500] as const;

/** A process that meets the broken snapshot serves for a moment, says why, and dies. */
export function createCrash(logger: Logger, die: () => void): Crash {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    set: (broken) => {
      if (!broken) return stop();
      timer ??= setTimeout(
        () => {
          logger.log(
            'fatal',
            'panic: rules snapshot corrupt at offset 4096: unexpected end of data; process exits with code 1',
          );
          die();
        },
        between(...AFTER_MS),
      );
    },
    close: stop,
  };
}

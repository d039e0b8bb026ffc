import type { Interface } from 'node:readline';

export interface LineQueue {
  /** The next line, or undefined at the end. */
  next(): Promise<string | undefined>;
  /** Ends it for whoever waits. */
  close(): void;
}

/** Lines one at a time, for whoever asks first. Nothing that arrives early is lost. */
export function lineQueue(reader: Interface): LineQueue {
  const lines: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  let closed = false;
  const close = () => {
    closed = true;
    for (const resolve of waiting.splice(0)) resolve(undefined);
  };
  reader.on('line', (line) => {
    const resolve = waiting.shift();
    if (resolve) resolve(line);
    else lines.push(line);
  });
  reader.on('close', close);
  return {
    next: () => {
      const line = lines.shift();
      if (line !== undefined || closed) return Promise.resolve(line);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    close: () => {
      lines.length = 0;
      close();
    },
  };
}

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { isRecord } from '#kit/is-record';
import type { ControlMessage } from '../system/world.ts';

/** Hears what the parent says, line by line. `gone` is called once when the other end is closed, however it ended. */
export function hearParent(
  input: Readable,
  hear: (message: ControlMessage) => void,
  gone: () => void,
): () => void {
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    const message: unknown = JSON.parse(line);
    if (isRecord(message)) hear(message);
  });
  lines.once('close', gone);
  return () => {
    lines.off('close', gone);
    lines.close();
    input.destroy();
  };
}

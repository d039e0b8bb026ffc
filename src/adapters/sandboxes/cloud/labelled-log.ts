import type { OutputChunk } from '#spec/ports';

/** Before what a command printed, the log of a session has three of these bytes: which of the two streams it was. */
const LABEL_LENGTH = 3;
const LABELS: Readonly<Record<number, OutputChunk['stream']>> = { 1: 'stdout', 2: 'stderr' };

/** Takes a session's log apart into its two streams, wherever the pieces of it were cut. */
export function labelledLog(emit: (stream: OutputChunk['stream'], bytes: Uint8Array) => void): {
  take(bytes: Uint8Array): void;
  end(): void;
} {
  let stream: OutputChunk['stream'] = 'stdout';
  let held: Uint8Array = new Uint8Array();
  const give = (bytes: Uint8Array) => {
    if (bytes.length) emit(stream, bytes);
  };
  return {
    take: (bytes) => {
      const input = Buffer.concat([held, bytes]);
      held = new Uint8Array();
      let from = 0;
      for (let at = 0; at < input.length; ) {
        const byte = input[at] as number;
        const named = LABELS[byte];
        if (!named) {
          at++;
          continue;
        }
        const length = run(input, at);
        if (length < LABEL_LENGTH) {
          if (at + length < input.length) {
            at += length;
            continue;
          }
          give(input.subarray(from, at));
          held = input.subarray(at);
          return;
        }
        give(input.subarray(from, at));
        stream = named;
        at += LABEL_LENGTH;
        from = at;
      }
      give(input.subarray(from));
    },
    end: () => {
      give(held);
      held = new Uint8Array();
    },
  };
}

/** How often a byte repeats from here on, three times at most. */
function run(bytes: Uint8Array, at: number): number {
  let length = 1;
  while (length < LABEL_LENGTH && bytes[at + length] === bytes[at]) length++;
  return length;
}

import { z } from 'zod';

/** What a runner says: something was printed, a tool is wanted, the script has ended. */
const Frame = z.union([
  z.object({ call: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({ done: z.literal(true), result: z.string().optional(), error: z.string().optional() }),
  z.object({ out: z.string(), dropped: z.number().optional() }),
]);
export type Frame = z.infer<typeof Frame>;

/** A piece of the stream: a frame, text outside of any, or a frame that cannot be read. */
export type Piece = Frame | { readonly raw: string } | { readonly broken: string };

const START = '\x1e';
const MOST_FRAME_CHARS = 8 * 1024 * 1024;

/**
 * Takes the output of a runner as it comes and gives its pieces. Frames are known by a token that nobody but the
 * runner has been told, wherever in a line they begin.
 */
export function frameReader(token: string): (text: string) => readonly Piece[] {
  const marker = START + token;
  let held = '';
  return (text) => {
    held += text;
    const pieces: Piece[] = [];
    for (;;) {
      const at = held.indexOf(marker);
      const outside = held.slice(0, at < 0 ? held.length - openEnd(held, marker) : at);
      if (outside !== '') pieces.push({ raw: outside });
      held = held.slice(outside.length);
      if (at < 0) return pieces;
      const end = held.indexOf('\n');
      if (end < 0) {
        if (held.length <= MOST_FRAME_CHARS) return pieces;
        held = '';
        return [...pieces, { broken: 'a frame without an end' }];
      }
      pieces.push(parseFrame(held.slice(marker.length, end)));
      held = held.slice(end + 1);
    }
  };
}

/** How much of the end could be the beginning of a marker. */
function openEnd(text: string, marker: string): number {
  const at = text.lastIndexOf(START);
  return at >= 0 && marker.startsWith(text.slice(at)) ? text.length - at : 0;
}

function parseFrame(text: string): Piece {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { broken: text.slice(0, 200) };
  }
  const parsed = Frame.safeParse(value);
  return parsed.success ? parsed.data : { broken: text.slice(0, 200) };
}

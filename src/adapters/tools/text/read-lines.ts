import type { Encoding } from './text-file.ts';

const CHUNK = 256 * 1024;
const LONGEST_LINE = 2_000;
const MOST_CHARACTERS = 100_000;
/** How much is read on only to tell how many lines there are. */
const COUNT_BYTES = 16 * 1024 * 1024;

export interface LinesSource {
  readonly encoding: Encoding;
  /** Where the text begins. */
  readonly start: number;
  readPart(start: number, length: number): Promise<Uint8Array>;
  /** How a line is shown. */
  format(line: string, number: number): string;
  /** Stops a long read. */
  readonly signal: AbortSignal;
}

export interface Lines {
  readonly lines: readonly string[];
  /** How many lines the file has, as far as that is known. */
  readonly total: number;
  /** False when the file goes on after what was counted. */
  readonly counted: boolean;
  /** True when some bytes are no text in the encoding. */
  readonly broken: boolean;
}

/**
 * Lines `offset` (from 1) to `offset + limit - 1`, read in pieces: a file of any size takes little memory.
 * Long lines are cut, and the whole ends early when it grows too long.
 */
export async function readLines(source: LinesSource, offset: number, limit: number): Promise<Lines> {
  const decoder = new TextDecoder(source.encoding, { ignoreBOM: true });
  const window = lineWindow(source, offset, limit);
  let broken = false;
  for (let at = source.start; ; ) {
    source.signal.throwIfAborted();
    const bytes = await source.readPart(at, CHUNK);
    at += bytes.length;
    const end = bytes.length === 0;
    const text = decoder.decode(bytes, { stream: !end });
    broken ||= text.includes('\ufffd');
    window.add(text);
    if (end) window.finish();
    if (end || (window.full() && at - source.start >= COUNT_BYTES))
      return { lines: window.lines, total: window.total(), counted: end, broken };
  }
}

/** Cuts what is added into lines and keeps those that were asked for. */
function lineWindow({ format }: Pick<LinesSource, 'format'>, offset: number, limit: number) {
  const lines: string[] = [];
  let [number, current, dropped, characters] = [1, '', 0, 0];
  const full = () => lines.length >= limit || characters >= MOST_CHARACTERS;
  const wanted = () => number >= offset && !full();
  const grow = (text: string) => {
    if (!wanted()) return;
    // One more than is shown, so that the carriage return of a line of just that length is seen.
    const room = LONGEST_LINE + 1 - current.length;
    current += text.slice(0, room);
    dropped += Math.max(0, text.length - room);
  };
  const close = () => {
    if (wanted()) {
      const line = format(cut(current, dropped), number);
      if (characters > 0 && characters + line.length > MOST_CHARACTERS) characters = MOST_CHARACTERS;
      else {
        lines.push(line);
        characters += line.length + 1;
      }
    }
    [current, dropped, number] = ['', 0, number + 1];
  };
  let open = false;
  return {
    lines,
    full,
    total: () => number - 1,
    add(text: string) {
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        grow(text.slice(from, at));
        close();
        from = at + 1;
        open = false;
      }
      if (from < text.length) {
        grow(text.slice(from));
        open = true;
      }
    },
    finish() {
      if (open) close();
    },
  };
}

function cut(line: string, dropped: number): string {
  const text = dropped === 0 && line.endsWith('\r') ? line.slice(0, -1) : line;
  const over = text.length + dropped - LONGEST_LINE;
  return over > 0 ? `${cutAt(text, LONGEST_LINE)}… [${over} more characters]` : text;
}

/** The first characters of a text; never half of one. */
export function cutAt(text: string, length: number): string {
  const splits = /[\ud800-\udbff]/.test(text[length - 1] ?? '') && text.length > length;
  return text.slice(0, splits ? length - 1 : length);
}

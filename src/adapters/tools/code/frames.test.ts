import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameReader, type Piece } from './frames.ts';

const TOKEN = 'a1b2c3';
const frame = (value: unknown): string => `\x1e${TOKEN}${JSON.stringify(value)}\n`;
const readAll = (chunks: readonly string[]): Piece[] => {
  const read = frameReader(TOKEN);
  return chunks.flatMap((chunk) => read(chunk));
};
const rawOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => ('raw' in piece ? piece.raw : '')).join('');

describe('frameReader', () => {
  it('finds frames wherever they begin, and leaves the rest', () => {
    const call = { call: 'read_file', input: { path: 'a' } };
    expect(readAll([`x${frame(call)}y\n${frame({ out: 'z' })}`])).toEqual([
      { raw: 'x' },
      call,
      { raw: 'y\n' },
      { out: 'z' },
    ]);
  });

  it('takes nothing for a frame that has another token, or says something else', () => {
    expect(readAll(['\x1eother{"done":true}\n'])).toEqual([{ raw: '\x1eother{"done":true}\n' }]);
    expect(readAll([frame({ unknown: 1 })])).toEqual([{ broken: '{"unknown":1}' }]);
    expect(readAll([`\x1e${TOKEN}{"out":\n`])).toEqual([{ broken: '{"out":' }]);
  });

  it('gives up on a frame that never ends', () => {
    expect(readAll([`\x1e${TOKEN}`, 'x'.repeat(9 * 1024 * 1024)]).at(-1)).toEqual({
      broken: 'a frame without an end',
    });
  });

  it('reads the same however the text is cut', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constant('\x1e'),
      fc.constant(`\x1e${TOKEN.slice(0, 3)}`),
      fc.string().map((out) => frame({ out })),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        (parts, sizes) => {
          const text = `${parts.join('')}\n`;
          const chunks: string[] = [];
          for (let at = 0, i = 0; at < text.length; i += 1) {
            const size = 1 + (sizes[i % sizes.length] ?? 0);
            chunks.push(text.slice(at, at + size));
            at += size;
          }
          const [whole, cut] = [readAll([text]), readAll(chunks)];
          const frames = (pieces: readonly Piece[]) => pieces.filter((piece) => !('raw' in piece));
          expect(frames(cut)).toEqual(frames(whole));
          expect(rawOf(cut)).toBe(rawOf(whole));
        },
      ),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelledLog } from './labelled-log.ts';

function split(pieces: readonly Buffer[]): { stdout: string; stderr: string } {
  const text = { stdout: '', stderr: '' };
  const log = labelledLog((stream, bytes) => {
    text[stream] += Buffer.from(bytes).toString('latin1');
  });
  for (const piece of pieces) log.take(piece);
  log.end();
  return text;
}

describe('labelledLog', () => {
  it('tells the streams apart wherever the log is cut, and keeps what only looks like a label', () => {
    const whole = Buffer.from(
      '\x01\x01\x01out\x01\x01 x\n\x02\x02\x02err\x02\n\x01\x01\x01more\x01',
      'latin1',
    );
    const cuts = fc.array(fc.nat({ max: whole.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (places) => {
        const at = [0, ...places.toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.subarray(at[index], end));
        expect(split(pieces)).toEqual({ stdout: 'out\x01\x01 x\nmore\x01', stderr: 'err\x02\n' });
      }),
    );
  });
});

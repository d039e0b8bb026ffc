import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from './protobuf.ts';

describe('protobuf', () => {
  it('writes the bytes that the format prescribes', () => {
    // The examples of the format's own description: field 1 = 150, field 2 = "testing", field 3 = { 1: 150 }.
    expect(encodeMessage([[1, 'uint', 150]]).toString('hex')).toBe('089601');
    expect(encodeMessage([[2, 'string', 'testing']]).toString('hex')).toBe('120774657374696e67');
    expect(encodeMessage([[3, 'message', [[1, 'uint', 150]]]]).toString('hex')).toBe('1a03089601');
    expect(encodeMessage([[1, 'float', 1]]).toString('hex')).toBe('0d0000803f');
    expect(encodeMessage([[20, 'bool', true]]).toString('hex')).toBe('a00101');
    expect(encodeMessage([[1, 'string', undefined]])).toHaveLength(0);
  });

  it('reads them back, and passes over fields that it does not know', () => {
    const bytes = Buffer.from('089601120774657374696e671a030896012d0000803f310000000000000000', 'hex');
    const message = decodeMessage(bytes);
    expect([message.int(1), message.text(2), message.message(3)?.int(1)]).toEqual([150, 'testing', 150]);
    expect([message.int(9), message.text(9), message.bytes(9).length]).toEqual([undefined, '', 0]);
    expect(decodeMessage(Buffer.from('08ffffffffffffffffff01', 'hex')).int(1)).toBe(-1);
  });

  it.each(['08', '1205', '120574', '0b', '08ffffffffffffffffffffff'])('refuses %s', (hex) => {
    expect(() => decodeMessage(Buffer.from(hex, 'hex'))).toThrow(RangeError);
  });
});

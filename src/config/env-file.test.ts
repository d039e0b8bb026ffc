import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeEnv, readEnvFile, setEnvValue } from './env-file.ts';

describe('readEnvFile', () => {
  it('reads quotes, comments and export', () => {
    const text = '# keys\nexport A=one # first\nB="two words"\n\nC=\'#three\'\n';
    expect(readEnvFile(text)).toEqual({ A: 'one', B: 'two words', C: '#three' });
  });
});

describe('mergeEnv', () => {
  it('lets the process win, unless its value is empty', () => {
    const merged = mergeEnv(
      { A: 'process', B: '', C: undefined, D: '' },
      { A: 'file', B: 'file', C: 'file' },
    );
    expect(merged).toEqual({ A: 'process', B: 'file', C: 'file', D: '' });
  });
});

describe('setEnvValue', () => {
  const text = '# model keys\nexport A=one # why\n\nB="two"\n# end\n';

  it('changes one line and keeps comments and order', () => {
    expect(setEnvValue(text, 'B', 'x y')).toBe('# model keys\nexport A=one # why\n\nB="x y"\n# end\n');
    expect(setEnvValue(text, 'A', 'new')).toBe('# model keys\nA=new # why\n\nB="two"\n# end\n');
    expect(setEnvValue(text, 'C', '3')).toBe(`${text}C=3\n`);
    expect(setEnvValue('', 'C', '3')).toBe('C=3\n');
  });

  it('removes a variable, and every older line of one that is set', () => {
    expect(setEnvValue(text, 'B', undefined)).toBe('# model keys\nexport A=one # why\n\n# end\n');
    expect(setEnvValue('A=old\nB=1\nA=older\n', 'A', 'new')).toBe('A=new\nB=1\n');
  });

  it('treats a value over several lines as one', () => {
    const pem = 'KEY="-----BEGIN\nB=inside\n-----END"\nB=outside\n';
    const changed = setEnvValue(pem, 'B', 'x');
    expect(readEnvFile(changed)).toEqual({ KEY: '-----BEGIN\nB=inside\n-----END', B: 'x' });
    expect(setEnvValue(pem, 'KEY', 'short')).toBe('KEY=short\nB=outside\n');
  });

  it('keeps the line ends of the file', () => {
    expect(setEnvValue('A=1\r\nB=2\r\n', 'A', '3')).toBe('A=3\r\nB=2\r\n');
  });

  it('refuses a name that would be something else', () => {
    for (const name of ['', 'A B', 'A=B', '1A', 'A\nB'])
      expect(() => setEnvValue('', name, 'x')).toThrow('cannot be the name');
  });

  const printable = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  const hard = fc.string({
    unit: fc.constantFrom('"', "'", '`', '#', '\\', 'n', '$', '{', ' ', '=', 'é', '\n', '\r'),
  });

  it('reads back any value, and leaves all other variables alone', () => {
    fc.assert(
      fc.property(fc.oneof(printable, hard), fc.oneof(printable, hard), (first, second) => {
        let env = setEnvValue(text, 'B', first);
        env = setEnvValue(env, 'NEW', second);
        expect(readEnvFile(env)).toEqual({ A: 'one', B: first, NEW: second });
        env = setEnvValue(env, 'B', second);
        expect(readEnvFile(env)).toEqual({ A: 'one', B: second, NEW: second });
        expect(env).toContain('# model keys');
      }),
      { numRuns: 1000 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { expandVariables } from './expand-variables.ts';

function expand(text: string, env: Record<string, string | undefined> = {}) {
  const missing: string[] = [];
  return { text: expandVariables(text, env, (name) => missing.push(name)), missing };
}

describe('expandVariables', () => {
  it('puts values in the place of names', () => {
    const env = { REGION: 'eu-1', PORT: '80' };
    expect(expand('https://a.${REGION}.example:${PORT}/${REGION}', env)).toEqual({
      text: 'https://a.eu-1.example:80/eu-1',
      missing: [],
    });
  });

  it('takes the default of a name that is unset or empty', () => {
    expect(expand('${A:-one} ${B:-two} ${C:-}', { B: '', C: undefined })).toEqual({
      text: 'one two ',
      missing: [],
    });
    expect(expand('${A:-one}', { A: 'set' }).text).toBe('set');
    expect(expand('${A:-http://x:1/y}').text).toBe('http://x:1/y');
  });

  it('tells every name that has neither a value nor a default', () => {
    expect(expand('${A}-${B}-${A}', { B: '' })).toEqual({ text: '--', missing: ['A', 'B', 'A'] });
  });

  it('leaves everything else as it is', () => {
    const text = '$A ${} ${1A} ${A B} {A} $${ cost: 5$';
    expect(expand(text, { A: 'no' })).toEqual({ text, missing: [] });
  });

  it('does not expand what a value brings along, nor read $ patterns in it', () => {
    expect(expand('${A}', { A: '${B} $& $1', B: 'no' }).text).toBe('${B} $& $1');
  });

  it('knows no variables but those it was given', () => {
    expect(expand('${constructor}${toString}${__proto__}')).toEqual({
      text: '',
      missing: ['constructor', 'toString', '__proto__'],
    });
  });
});

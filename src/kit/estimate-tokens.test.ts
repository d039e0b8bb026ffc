import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

describe('estimateTokens', () => {
  it('is nothing for nothing, and at least one for anything', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('a')).toBe(1);
  });

  it('counts a token for about 3.5 characters', () => {
    expect(estimateTokens('a'.repeat(3_500))).toBe(1_000);
  });

  it.each(['连接池耗尽', 'データベース', '연결풀고갈', '\uFF21\uFF22\uFF23\uFF24'])(
    'counts %s near one each',
    (text) => {
      const tokens = estimateTokens(text);
      expect(tokens).toBeGreaterThanOrEqual(text.length);
      expect(tokens).toBeLessThanOrEqual(text.length * 1.4);
    },
  );

  it('adds the two up in mixed text', () => {
    expect(estimateTokens(`${'池'.repeat(100)}${'a'.repeat(350)}`)).toBe(210);
  });

  it('grows with the text', () => {
    const sizes = [1, 10, 100, 1_000].map((n) => estimateTokens('log line '.repeat(n)));
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(new Set(sizes).size).toBe(4);
  });
});

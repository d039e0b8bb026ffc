import { describe, expect, it } from 'vitest';
import { readDiff, replacedValues } from './read-diff.ts';

describe('readDiff', () => {
  it('leaves out lines that only moved', () => {
    const diff = readDiff('--- a/x\n+++ b/x\n@@ f()\n-  a: one,\n+\ta: one,\n-limit 50\n same');
    expect(diff).toEqual({ removed: ['limit 50'], added: [], around: ['@@ f()', 'same'] });
  });

  it('finds values that took the place of others, even where a name changed too', () => {
    const values = (text: string): string[] =>
      replacedValues(readDiff(text)).map(({ from, to }) => `${from}→${to}`);
    expect(values('-max = 50\n+max = 10')).toEqual(['50→10']);
    expect(
      values('-ctx := WithTimeout(ctx, 5*time.Second)\n+callCtx := WithTimeout(ctx, 300*time.Millisecond)'),
    ).toEqual(['5*time.Second→300*time.Millisecond']);
    expect(values('-return a\n+return b(c, 4)')).toEqual([]);
  });
});

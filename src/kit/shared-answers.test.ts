import { describe, expect, it } from 'vitest';
import { sharedAnswers } from './shared-answers.ts';

describe('sharedAnswers', () => {
  it('looks once for all who ask within the time, also while it looks', async () => {
    let now = 0;
    let looks = 0;
    const share = sharedAnswers<number>(2_000, () => now);
    const look = async () => ++looks;
    expect(await Promise.all([share('a', look), share('a', look), share('b', look)])).toEqual([1, 1, 2]);
    now = 1_999;
    expect(await share('a', look)).toBe(1);
    now = 2_000;
    expect(await share('a', look)).toBe(3);
  });

  it('does not keep a failure', async () => {
    const share = sharedAnswers<number>(2_000, () => 0);
    await expect(share('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await share('a', () => Promise.resolve(1))).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import type { ErrorRecord } from '#spec/data';
import { texts } from '../text/index.ts';
import { attemptLine, errorLines } from './error-lines.ts';

const error: ErrorRecord = {
  code: 'model.rate_limited',
  message: 'slow\ndown\u001b[31m',
  retry: { again: true },
  source: { provider: 'openai', model: 'gpt-5', credential: 'OPENAI_API_KEY', status: 429 },
};

describe('errorLines', () => {
  it('says what, who and what to do, in two lines', () => {
    expect(errorLines(error, texts.en)).toEqual([
      'Rate limited (openai/gpt-5, OPENAI_API_KEY, HTTP 429): slow down␛[31m',
      '→ Wait, add a key (llm.credentials.keys) or a fallback (llm.fallback).',
    ]);
  });

  it('prefers the hint that came with it', () => {
    expect(errorLines({ ...error, hint: 'try tomorrow' }, texts.en)[1]).toBe('→ try tomorrow');
  });

  it('does not go on for ever', () => {
    expect(errorLines({ ...error, message: 'x'.repeat(5_000) }, texts.en)[0]?.length).toBeLessThan(300);
  });
});

describe('attemptLine', () => {
  it('says what is done about it', () => {
    const turn = { kind: 'failover', provider: 'anthropic', model: 'claude' } as const;
    expect(attemptLine(error, turn, texts.en)).toMatch(/^Rate limited .*: turning to anthropic\/claude$/);
    expect(attemptLine(error, { kind: 'retry', afterMs: 2_000 }, texts.zh)).toContain('2.0');
  });
});

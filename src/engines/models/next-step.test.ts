import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode, type ErrorRecord } from '#spec/data';
import { nextStep, type Situation } from './next-step.ts';

const error = (code: ErrorCode, again = true, afterMs?: number): ErrorRecord => ({
  code,
  message: code,
  retry: afterMs === undefined ? { again } : { again, afterMs },
});

const decide = (failed: ErrorRecord, situation: Partial<Situation> = {}) =>
  nextStep(failed, {
    shown: false,
    retries: 0,
    maxRetries: 3,
    otherCredential: false,
    otherCandidate: false,
    replaysThinking: false,
    random: () => 0,
    ...situation,
  });

const ANYWHERE = { otherCredential: true, otherCandidate: true };

describe('nextStep', () => {
  it.each(ERROR_CODES)('stops after %s when part of the answer has been shown', (code) => {
    expect(decide(error(code), { shown: true, ...ANYWHERE, replaysThinking: true })).toEqual({
      kind: 'stop',
    });
  });

  it.each(['model.context_overflow', 'model.payload_too_large', 'model.content_filter'] as const)(
    'stops after %s: the request itself is at fault',
    (code) => {
      expect(decide(error(code), ANYWHERE)).toEqual({ kind: 'stop' });
    },
  );

  it('sends a request without its thinking once, when that was refused', () => {
    const refused = error('model.thinking_signature', false);
    expect(decide(refused, { ...ANYWHERE, replaysThinking: true })).toEqual({ kind: 'retry_plain' });
    expect(decide(refused, ANYWHERE)).toEqual({ kind: 'failover' });
    expect(decide(refused)).toEqual({ kind: 'stop' });
  });

  it.each(['model.auth', 'model.permission', 'model.billing'] as const)(
    '%s: another key, another model, or nothing',
    (code) => {
      const refused = error(code, false);
      expect(decide(refused, ANYWHERE)).toEqual({ kind: 'rotate' });
      expect(decide(refused, { otherCandidate: true })).toEqual({ kind: 'failover' });
      expect(decide(refused)).toEqual({ kind: 'stop' });
    },
  );

  it.each(['model.not_found', 'model.format'] as const)('%s: another model, never another key', (code) => {
    expect(decide(error(code, false), ANYWHERE)).toEqual({ kind: 'failover' });
    expect(decide(error(code, false), { otherCredential: true })).toEqual({ kind: 'stop' });
  });
});

describe('a passing fault', () => {
  const fault = error('model.server');

  it('is waited out, longer each time', () => {
    const waits = [0, 1, 2].map((retries) => decide(fault, { retries, ...ANYWHERE }));
    expect(waits).toEqual([2_000, 4_000, 8_000].map((afterMs) => ({ kind: 'retry', afterMs })));
    expect(decide(fault, { random: () => 1 })).toEqual({ kind: 'retry', afterMs: 3_000 });
  });

  it('is left for another model, or for good, when the retries are used up', () => {
    expect(decide(fault, { retries: 3, ...ANYWHERE })).toEqual({ kind: 'failover' });
    expect(decide(fault, { retries: 3, otherCredential: true })).toEqual({ kind: 'stop' });
    expect(decide(fault, { maxRetries: 0 })).toEqual({ kind: 'stop' });
  });

  it('is waited out for as long as the vendor asks, up to two minutes', () => {
    expect(decide(error('model.overloaded', true, 120_000))).toEqual({ kind: 'retry', afterMs: 120_000 });
    expect(decide(error('model.overloaded', true, 120_001))).toEqual({ kind: 'stop' });
    expect(decide(error('model.overloaded', true, 120_001), { otherCandidate: true })).toEqual({
      kind: 'failover',
    });
  });
});

describe('a rate limit', () => {
  it('is waited out once when that is short, even where there is somewhere else to go', () => {
    const short = error('model.rate_limited', true, 5_000);
    expect(decide(short, ANYWHERE)).toEqual({ kind: 'retry', afterMs: 5_000 });
    expect(decide(short, { ...ANYWHERE, retries: 1 })).toEqual({ kind: 'rotate' });
    expect(decide(short, { otherCandidate: true, retries: 1 })).toEqual({ kind: 'failover' });
    expect(decide(short, { ...ANYWHERE, maxRetries: 0 })).toEqual({ kind: 'rotate' });
  });

  it('is left at once when it is long', () => {
    const long = error('model.rate_limited', true, 5_001);
    expect(decide(long, ANYWHERE)).toEqual({ kind: 'rotate' });
    expect(decide(long, { otherCandidate: true })).toEqual({ kind: 'failover' });
  });

  it('is waited out like any fault where there is nowhere else to go', () => {
    const long = error('model.rate_limited', true, 60_000);
    expect(decide(long, { retries: 2 })).toEqual({ kind: 'retry', afterMs: 60_000 });
    expect(decide(long, { retries: 3 })).toEqual({ kind: 'stop' });
    expect(decide(error('model.rate_limited'))).toEqual({ kind: 'retry', afterMs: 2_000 });
  });
});

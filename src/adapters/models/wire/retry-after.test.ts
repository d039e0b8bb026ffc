import { describe, expect, it } from 'vitest';
import { retryAfterInWords, retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const after = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), NOW);

describe('retryAfterMs', () => {
  it.each([
    ['retry-after', '7', 7_000],
    ['retry-after', '0', 0],
    ['retry-after', '1.5', 1_500],
    ['retry-after', 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['retry-after', 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['retry-after-ms', '250', 250],
    ['x-ratelimit-reset-requests', '6m0s', 360_000],
    ['x-ratelimit-reset-tokens', '1h2m3.5s', 3_723_500],
    ['x-ratelimit-reset-tokens', '20ms', 20],
    ['x-ratelimit-reset', String(NOW + 9_000), 9_000],
    ['x-ratelimit-reset', String(NOW / 1_000 + 4), 4_000],
    ['x-ratelimit-reset', String(NOW - 9_000), 0],
    ['ratelimit-reset', '30', 30_000],
    ['anthropic-ratelimit-requests-reset', '2026-03-01T12:01:00Z', 60_000],
  ])('reads %s: %s', (name, value, ms) => {
    expect(after({ [name]: value })).toBe(ms);
  });

  it('prefers the most exact header', () => {
    expect(after({ 'retry-after-ms': '800', 'retry-after': '1', 'x-ratelimit-reset-requests': '1m' })).toBe(
      800,
    );
    expect(after({ 'retry-after': '1', 'x-ratelimit-reset-requests': '1m' })).toBe(1_000);
  });

  it('waits for the last of several limits to reset', () => {
    expect(after({ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '8s' })).toBe(8_000);
  });

  it.each([
    {},
    { 'retry-after': 'soon' },
    { 'retry-after': '' },
    { 'x-ratelimit-reset-tokens': '5 parsecs' },
  ])('says nothing about %j', (headers) => {
    expect(after(headers)).toBeUndefined();
  });
});

describe('retryAfterInWords', () => {
  it.each([
    ['Rate limit reached. Please try again in 1.9s. Visit …', 1_900],
    ['Please try again in 6m0s.', 360_000],
    ['please try again in 20ms', 20],
    ['{"error":{"details":[{"@type":"RetryInfo","retryDelay": "39s"}]}}', 39_000],
    ['Try again in 12 seconds', 12_000],
    ['retry after 3s', 3_000],
  ])('reads %s', (message, ms) => {
    expect(retryAfterInWords(message)).toBe(ms);
  });

  it.each(['Too many requests', 'try again later', 'tried 5s ago', ''])(
    'says nothing about %j',
    (message) => {
      expect(retryAfterInWords(message)).toBeUndefined();
    },
  );
});

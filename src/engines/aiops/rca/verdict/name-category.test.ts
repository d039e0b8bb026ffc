import { describe, expect, it } from 'vitest';
import { nameCategory } from './name-category.ts';

const told = (text: string): string => nameCategory([text], 'none');

describe('nameCategory', () => {
  it.each(['rate limit', 'rate_limit', 'RateLimited', 'ratelimit', 'rate-limiter'])(
    'reads %s as its own name, however it is written',
    (text) => {
      expect(told(`order ${text} hit`)).toBe('rate_limit');
    },
  );

  it('takes what brings the other about', () => {
    expect(told('deadline exceeded: connection pool exhausted')).toBe('connection_pool');
    expect(told('pool timed out, out of memory')).toBe('resource_exhaustion');
  });

  it.each(['chatroom is cheap', 'clock blocked', 'error rate above its limit', 'invalid memory address'])(
    'is told nothing by %s',
    (text) => {
      expect(told(text)).toBe('none');
    },
  );
});

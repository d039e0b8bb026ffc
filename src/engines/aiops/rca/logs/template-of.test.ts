import { describe, expect, it } from 'vitest';
import { templateOf } from './template-of.ts';

describe('templateOf', () => {
  it.each([
    ['took 17 ms for user 4f2a9', 'took 930 ms for user 77b1c'],
    [
      'order 0b6d8f0e-11aa-4c7e-9d1f-aaaaaaaaaaaa stored',
      'order ffffffff-11aa-4c7e-9d1f-bbbbbbbbbbbb stored',
    ],
    ['call to 10.0.0.7:8080 refused', 'call to 10.9.8.7:9090 refused'],
    ['at 2026-01-01T10:00:00Z done', 'at 2027-02-03 04:05:06 done'],
    ['mail to ada@example.org bounced', 'mail to bob.b@example.com bounced'],
    ['Order.java:51 stored {"id": 1}', 'Order.java:51 stored {"id": 2}'],
  ])('gives %s and %s one template', (one, other) => {
    expect(templateOf(one)).toBe(templateOf(other));
  });

  it('keeps statements of different places apart', () => {
    expect(templateOf('Order#51 done')).not.toBe(templateOf('Order#52 done'));
    expect(templateOf('connection refused')).not.toBe(templateOf('connection reset'));
  });
});

import { expect, it } from 'vitest';
import { sampleSystem } from '#testkit/bundles';
import type { LogPattern } from '../logs/log-bursts.ts';
import { symptomTerms } from './symptom-terms.ts';

const pattern = (sample: string, bad: boolean): LogPattern => ({
  service: 'web',
  template: sample,
  sample,
  bad,
  counts: { before: bad ? 0 : 9, during: 9 },
  expected: bad ? 0 : 9,
  chance: undefined,
  first: undefined,
});
const { bundle } = sampleSystem({ title: 'web is slow' });
const weights = symptomTerms({
  bundle,
  patterns: [
    pattern('request failed: ledger pool v2 of web exhausted', true),
    pattern('request served', false),
  ],
  moved: ['pool_waiting'],
  metrics: ['pool_waiting', 'request_count', 'request_seconds'],
  failedSpans: [],
  services: ['web'],
});

it('asks for what is said where it hurts, and less for what is said every day', () => {
  expect(weights.get('ledger')).toBe(1);
  expect(weights.get('request')).toBeLessThan(0.5);
  expect(weights.get('pool')).toBe(1);
});

it('asks for no names of services and no versions', () => {
  expect(weights.has('web')).toBe(false);
  expect(weights.has('v2')).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { mergeProfiles, readProfileNotes } from './profile-notes.ts';

const none = { dependencies: [], signals: [], names: {}, rules: [] };

describe('readProfileNotes', () => {
  it.each([
    ['payment-service depends on mysql-payment and coupon-service', ['mysql-payment', 'coupon-service']],
    [
      'payment-service 依赖 mysql-payment、coupon-service。生产回滚必须审批',
      ['mysql-payment', 'coupon-service'],
    ],
    ['- payment-service calls redis (cache), kafka.', ['redis', 'kafka']],
    ['## payment-service\ndependencies: mysql-payment, coupon-service', ['mysql-payment', 'coupon-service']],
  ])('reads what a service depends on: %s', (text, dependencies) => {
    expect(readProfileNotes(text)).toEqual([{ ...none, service: 'payment-service', dependencies }]);
  });

  it('reads owners and signals, in both languages, one entry after the other', () => {
    const text = [
      'order-service is owned by the orders team',
      '§',
      'order-service 的关键指标为 error_ratio、latency_p95_ms',
      '§',
      'coupon-service 由 增长组 负责',
      '§',
      'people like short summaries',
    ].join('\n');
    expect(readProfileNotes(text)).toEqual([
      {
        ...none,
        service: 'order-service',
        owner: 'the orders team',
        signals: ['error_ratio', 'latency_p95_ms'],
      },
      { ...none, service: 'coupon-service', owner: '增长组' },
    ]);
  });

  it.each([
    'payment-service no longer depends on mysql-payment',
    'payment-service 不依赖 mysql-payment',
    'whoever is on call restarts it',
    'dependencies: mysql-payment',
  ])('makes nothing up: %s', (text) => expect(readProfileNotes(text)).toEqual([]));
});

describe('mergeProfiles', () => {
  it('lets the first owner stand and puts the rest together', () => {
    const profile = { ...none, service: 'a-service' };
    expect(
      mergeProfiles([
        { ...profile, owner: 'one', dependencies: ['b'], names: { argocd: 'a-prod' } },
        { ...profile, owner: 'two', dependencies: ['c', 'b'], names: { argocd: 'other', namespace: 'shop' } },
      ]),
    ).toEqual([
      { ...profile, owner: 'one', dependencies: ['b', 'c'], names: { argocd: 'a-prod', namespace: 'shop' } },
    ]);
  });
});

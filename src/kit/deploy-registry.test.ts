import { describe, expect, it } from 'vitest';
import { DeployRegistry } from './deploy-registry.ts';

const registry = {
  fence: 3,
  applied: { 'key-1': '2026-05-01T10:00:00Z' },
  services: {
    'payment-service': {
      version: 'v2.3.0',
      previous: 'v2.2.9',
      canary: { version: 'v2.3.1', weight: 50 },
      replicas: 2,
      config: { pool_size: 20, tls: true, region: 'eu' },
      degraded: ['coupon-service'],
      active: 'primary',
      restartedAt: '2026-05-01T10:00:00.000Z',
    },
  },
  history: [
    {
      id: 'dep-17',
      time: '2026-05-01T09:00:00+02:00',
      service: 'payment-service',
      kind: 'deploy',
      summary: 'Deploy v2.3.1 to half of payment-service',
      details: { from: 'v2.3.0', to: 'v2.3.1', by: 'ci' },
    },
  ],
};

describe('DeployRegistry', () => {
  it('reads a whole file back as it was', () => {
    expect(DeployRegistry.parse(registry)).toEqual(registry);
  });

  it('fills in what a small file leaves out', () => {
    const read = DeployRegistry.parse({ services: { orders: { version: 'v1' } } });
    expect(read).toEqual({
      fence: 0,
      applied: {},
      services: {
        orders: { version: 'v1', canary: null, replicas: 1, config: {}, degraded: [], active: 'primary' },
      },
      history: [],
    });
  });

  it('keeps keys of a service that it does not name', () => {
    const read = DeployRegistry.parse({ services: { orders: { version: 'v1', zone: 'b' } } });
    expect(read.services['orders']).toMatchObject({ zone: 'b' });
  });

  it.each([
    [{ services: { orders: { version: 'v1', canary: { version: 'v2', weight: 101 } } } }],
    [{ services: { orders: { version: 'v1', replicas: -1 } } }],
    [{ services: { orders: {} } }],
    [{ services: {}, applied: { key: 'yesterday' } }],
    [{ services: {}, history: [{ ...registry.history[0], kind: 'party' }] }],
    [{ services: {}, fence: -1 }],
  ])('refuses %j', (broken) => {
    expect(DeployRegistry.safeParse(broken).success).toBe(false);
  });
});

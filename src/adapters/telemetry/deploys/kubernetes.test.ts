import { describe, expect, it } from 'vitest';
import { describeChangesSource } from '#testkit/changes-contract';
import { startKubernetesApi } from '#testkit/kubernetes-api';
import { telemetry } from './kubernetes.ts';

const TOKEN = 'kube-token-9f8e7d6c5b';
const FIRST = Date.parse('2026-05-01T10:00:00Z');
const SECOND = FIRST + 600_000;
const DAY_MS = 86_400_000;

async function start() {
  let now = FIRST - DAY_MS;
  const api = await startKubernetesApi({ token: TOKEN, namespace: 'prod', now: () => now });
  api.deploy({ name: 'pay', image: 'shop/payment:v1', env: { POOL: '20', DB_PASSWORD: 'hunter2-hunter2' } });
  now = FIRST;
  api.rollOut('pay', 'shop/payment:v2', 'release v2');
  now += 60_000;
  api.deploy({ name: 'order-service', image: 'shop/order:v7' });
  now = SECOND;
  api.rollOut('pay', 'shop/payment:v3');
  const place = {
    key: (name: string) => (name === 'KUBERNETES_TOKEN' ? TOKEN : undefined),
    folder: '',
    now: () => now,
  };
  const settings = {
    api_url: api.url,
    namespaces: ['prod'],
    services: { 'payment-service': 'pay' },
    timeout_seconds: 0.3,
  };
  const open = () => telemetry.open(telemetry.settings.parse(settings), place);
  return {
    api,
    open,
    at: (time: number) => {
      now = time;
    },
  };
}

describeChangesSource('Kubernetes', true, async () => {
  const { api, open } = await start();
  return {
    open,
    service: 'payment-service',
    times: [FIRST, SECOND],
    others: 1,
    fail: (fault) => api.fail(fault),
    secret: TOKEN,
    close: () => api.close(),
  };
});

describe('changes of Kubernetes', () => {
  const signal = new AbortController().signal;
  const scope = (from: number, to: number) => ({
    window: { start: new Date(from).toISOString(), end: new Date(to).toISOString() },
    limit: 20,
  });

  it('tells revisions with images and the lines of the template, and no secret of it', async () => {
    const { api, open } = await start();
    const { items, asked } =
      (await (await open()).changes?.changes(scope(FIRST - 1_000, SECOND), signal)) ?? {};
    expect(items?.[0]).toMatchObject({
      id: 'kubernetes/prod/pay/2',
      service: 'payment-service',
      summary: 'Kubernetes rolled out pay v2 from v1 (revision 2): release v2',
      details: { from: 'v1', to: 'v2', images: ['shop/payment:v2'], revision: 2 },
    });
    expect(items?.[0]?.details?.['diff']).toContain('image: shop/payment:v2');
    expect(JSON.stringify(items)).not.toContain('hunter2');
    expect(asked?.find(({ problem }) => problem?.en.includes('ConfigMaps'))).toBeDefined();
    await api.close();
  });

  it('gives a rollback the time at which it happened', async () => {
    const { api, open, at } = await start();
    at(SECOND + 300_000);
    api.rollOut('pay', 'shop/payment:v2');
    const { items } =
      (await (await open()).changes?.changes(scope(SECOND + 1_000, SECOND + 400_000), signal)) ?? {};
    expect(items).toMatchObject([{ id: 'kubernetes/prod/pay/4', details: { from: 'v3', to: 'v2' } }]);
    await api.close();
  });

  it('does without events where they may not be read', async () => {
    const { api, open } = await start();
    api.forbid('list', 'events');
    const { items, asked } =
      (await (await open()).changes?.changes(scope(FIRST - 1_000, SECOND), signal)) ?? {};
    expect(items).toHaveLength(3);
    expect(
      asked?.some(({ query, problem }) => query.includes('/events') && problem?.en.includes('403')),
    ).toBe(true);
    await api.close();
  });

  it('wants one way to the cluster', () => {
    expect(telemetry.settings.safeParse({}).success).toBe(false);
    expect(telemetry.settings.safeParse({ api_url: 'https://k8s', kubeconfig: 'x' }).success).toBe(false);
    expect(telemetry.settings.safeParse({ api_url: 'http://k8s.example.com' }).success).toBe(false);
  });
});

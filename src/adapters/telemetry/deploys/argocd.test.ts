import { describe, expect, it } from 'vitest';
import { startArgocdServer } from '#testkit/argocd-server';
import { describeChangesSource } from '#testkit/changes-contract';
import { telemetry } from './argocd.ts';

const TOKEN = 'argo-token-f3b1c2d4e5';
const FIRST = Date.parse('2026-05-01T10:00:00Z');
const SECOND = FIRST + 600_000;

async function start() {
  let now = FIRST - 3_600_000;
  const server = await startArgocdServer({ token: TOKEN, now: () => now });
  server.addApplication({ name: 'payment-service-prod', image: 'shop/payment' });
  server.addApplication({ name: 'order-service-prod', image: 'shop/order', project: 'orders' });
  server.release('payment-service-prod', 'v1');
  now = FIRST;
  server.release('payment-service-prod', 'v2');
  now += 60_000;
  server.release('order-service-prod', 'v7', { automated: true });
  now = SECOND;
  server.release('payment-service-prod', 'v3', { username: 'mona' });
  const place = {
    key: (name: string) => (name === 'ARGOCD_TOKEN' ? TOKEN : undefined),
    folder: '',
    now: () => now,
  };
  const open = (more: object = {}) => {
    const settings = { base_url: server.url, suffix: '-prod', timeout_seconds: 0.3, ...more };
    return telemetry.open(telemetry.settings.parse(settings), place);
  };
  return { server, open, place };
}

describeChangesSource('Argo CD', true, async () => {
  const { server, open } = await start();
  return {
    open,
    service: 'payment-service',
    times: [FIRST, SECOND],
    others: 1,
    fail: (fault) => server.fail(fault),
    secret: TOKEN,
    close: () => server.close(),
  };
});

describe('changes of Argo CD', () => {
  const scope = {
    window: { start: new Date(FIRST - 1_000).toISOString(), end: new Date(SECOND).toISOString() },
    limit: 9,
  };
  const signal = new AbortController().signal;

  it('tells revision, images, who, the words of the commit, and what a rollback would go to', async () => {
    const { server, open } = await start();
    const sources = await open({ services: { pay: 'payment-service-prod' } });
    const { items } = (await sources.changes?.changes({ ...scope, services: ['pay'] }, signal)) ?? {};
    const { history } = server.application('payment-service-prod').status;
    expect(items?.at(-1)).toMatchObject({
      id: 'argocd/payment-service-prod/2',
      service: 'pay',
      details: {
        from: history[1]?.revision,
        to: history[2]?.revision,
        commit: history[2]?.revision,
        previous_history_id: 1,
        images: ['shop/payment:v3'],
        version: 'v3',
        by: 'mona',
        message: 'Release payment-service-prod v3',
      },
    });
    await server.close();
  });

  it('does without the words of commits, and says why', async () => {
    const { server, open } = await start();
    server.fail('forbidden', { path: /metadata$/ });
    const { items, asked } = (await (await open()).changes?.changes(scope, signal)) ?? {};
    expect(items).toHaveLength(3);
    expect(asked?.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
    await server.close();
  });

  it('says which key is missing', () => {
    const settings = telemetry.settings.parse({ base_url: 'https://argocd.example.com' });
    const missing = telemetry.missing?.(settings, { key: () => undefined, folder: '', now: Date.now });
    expect(missing?.what).toMatchObject({ en: expect.stringContaining('ARGOCD_TOKEN') });
  });
});

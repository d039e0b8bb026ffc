import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UncertainEffect } from '#kit/uncertain-effect';
import type { ProposedAction } from '#spec/data';
import type { Executor, Probeable } from '#spec/ports';
import { type ArgocdServer, startArgocdServer } from '#testkit/argocd-server';
import { executorContract, orderOf, sampleAction } from '#testkit/executor-contract';
import { executor as argocd } from './argocd.ts';

const TOKEN = 'argo-token-that-must-not-be-seen';
const service = 'payment-service';
const name = 'payment-service-prod';
const signal = new AbortController().signal;
const action = (params: ProposedAction['params'] = {}) =>
  sampleAction({ operation: 'rollback_canary', service, params });
const place = (token: string | undefined = TOKEN) => ({
  key: (key: string) => (key === 'ARGOCD_AUTH_TOKEN' ? token : undefined),
  now: Date.now,
});

async function newServer(): Promise<ArgocdServer> {
  const server = await startArgocdServer({ token: TOKEN });
  server.addApplication({ name, image: 'shop/payment' });
  for (const tag of ['v2.2.9', 'v2.3.0', 'v2.3.1']) server.release(name, tag);
  return server;
}

const open = (url: string, more: Record<string, unknown> = {}): Promise<Executor & Probeable> =>
  argocd.open(
    argocd.settings.parse({
      base_url: url,
      application: '{service}-prod',
      timeout_ms: 5_000,
      wait_ms: 5_000,
      settle_ms: 10,
      ...more,
    }),
    place(),
  );

executorContract(
  'argocd',
  async () => {
    const server = await newServer();
    return {
      executor: await open(server.url),
      action: action({ to: 'v2.3.0' }),
      reopen: () => open(server.url),
      look: async () => JSON.stringify(server.application(name)),
      effects: async () => server.changes.length,
      disturb: async () => void server.release(name, 'v2.4.0'),
      loseAnswer: () => server.fail('lost_answer', { methods: ['POST'], times: 1 }),
      loseRequest: () => server.fail('cut', { methods: ['POST'], times: 1 }),
      vanish: () => server.close(),
      secrets: [TOKEN],
      close: () => server.close(),
    };
  },
  { fences: false },
);

describe('argocd', () => {
  let server: ArgocdServer;
  let executor: Executor;
  beforeEach(async () => {
    server = await newServer();
    executor = await open(server.url);
  });
  afterEach(() => server.close());

  const thrownBy = (work: Promise<unknown>) => work.then(String, (thrown: unknown) => thrown);

  it('finds the deployment of a tag, a commit or an id, or the one before', async () => {
    const previous = await executor.rehearse(action(), signal);
    expect(previous).toMatchObject({ allowed: true, preview: 'argocd app rollback payment-service-prod 1' });
    const revision = server.application(name).status.history[0]?.revision ?? '';
    for (const params of [{ to: 'v2.2.9' }, { to: revision.slice(0, 8) }, { id: 0 }])
      expect((await executor.rehearse(action(params), signal)).preview).toBe(
        'argocd app rollback payment-service-prod 0',
      );
    expect(await executor.rehearse(action({ to: 'v9' }), signal)).toMatchObject({
      allowed: false,
      why: { en: 'payment-service-prod has no v9 in its history.' },
    });
    expect(await executor.rehearse(action({ to: 'v2.3.1' }), signal)).toMatchObject({ allowed: false });
  });

  it('asks for the rollback without pruning, and waits for its end', async () => {
    server.hold(true);
    const running = executor.execute(action({ to: 'v2.3.0' }), orderOf('key-1'));
    await expect.poll(() => server.changes.length).toBe(1);
    expect(server.changes[0]).toMatchObject({
      what: 'rollback',
      body: { id: 1, dryRun: false, prune: false },
    });
    server.finish(name);
    expect((await running).en).toContain('payment-service-prod back to 1');
    expect(server.application(name).status.summary.images).toEqual(['shop/payment:v2.3.0']);
  });

  it('does not begin again under another key, and never goes forth by going one back twice', async () => {
    await executor.execute(action({ to: 'v2.3.0' }), orderOf('key-a'));
    expect(await executor.execute(action({ to: 'v2.3.0' }), orderOf('key-b'))).toMatchObject({
      en: expect.stringContaining('runs already'),
    });
    expect(await thrownBy(executor.execute(action(), orderOf('key-c')))).toMatchObject({
      record: { code: 'backend.refused' },
    });
    expect(server.changes).toHaveLength(1);
  });

  it('does not know how far a failed or slow operation came', async () => {
    const { state } = await executor.rehearse(action({ to: 'v2.3.0' }), signal);
    server.hold(true);
    const failing = thrownBy(executor.execute(action({ to: 'v2.3.0' }), orderOf('key-1')));
    await expect.poll(() => server.changes.length).toBe(1);
    server.finish(name, 'one of the hooks failed');
    expect(await failing).toBeInstanceOf(UncertainEffect);
    expect(String(await failing)).toContain('one of the hooks failed');
    expect((await executor.reconcile(action({ to: 'v2.3.0' }), 'key-1', state, signal)).found).toBe(
      'unknown',
    );
    const hasty = await open(server.url, { wait_ms: 0 });
    expect(await thrownBy(hasty.execute(action({ to: 'v2.3.0' }), orderOf('key-2')))).toBeInstanceOf(
      UncertainEffect,
    );
    expect((await hasty.reconcile(action({ to: 'v2.3.0' }), 'key-2', state, signal)).found).toBe('unknown');
    server.finish(name);
    expect((await hasty.reconcile(action({ to: 'v2.3.0' }), 'key-2', state, signal)).found).toBe('done');
  });

  it('refuses an application that syncs by itself or is busy, and says what to do', async () => {
    server.setAutoSync(name, true);
    const { allowed, why } = await executor.rehearse(action({ to: 'v2.3.0' }), signal);
    expect({ allowed, why }).toMatchObject({
      allowed: false,
      why: { en: expect.stringContaining('argocd app set payment-service-prod --sync-policy none') },
    });
    expect(await thrownBy(executor.execute(action({ to: 'v2.3.0' }), orderOf('key-1')))).toMatchObject({
      record: { code: 'backend.refused' },
    });
    server.setAutoSync(name, false);
    server.hold(true);
    await fetch(`${server.url}/api/v1/applications/${name}/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await executor.rehearse(action({ to: 'v2.3.0' }), signal)).toMatchObject({
      allowed: false,
      why: { en: expect.stringContaining('another operation') },
    });
    expect(server.changes.filter(({ what }) => what === 'rollback')).toEqual([]);
  });

  it('cannot tell when something else was deployed in between', async () => {
    const { state } = await executor.rehearse(action({ to: 'v2.3.0' }), signal);
    server.release(name, 'v2.5.0');
    expect((await executor.reconcile(action({ to: 'v2.3.0' }), 'key-1', state, signal)).found).toBe(
      'unknown',
    );
    expect((await executor.reconcile(action({ to: 'v2.3.0' }), 'key-1', {}, signal)).found).toBe('unknown');
  });

  it('restarts the deployment of an application, once', async () => {
    const restart = sampleAction({ operation: 'restart_deployment', service });
    const { allowed, state, preview } = await executor.rehearse(restart, signal);
    expect({ allowed, preview }).toEqual({
      allowed: true,
      preview:
        'argocd app actions run payment-service-prod restart --kind Deployment --resource-name payment-service-prod',
    });
    const order = orderOf('key-1', { expects: state });
    await executor.execute(restart, order);
    await executor.execute(restart, order);
    expect(server.changes).toMatchObject([
      { what: 'restart', body: { action: 'restart', resourceName: name, kind: 'Deployment' } },
    ]);
    // This server does not show manifests, so nobody can tell.
    expect((await executor.reconcile(restart, 'key-1', state, signal)).found).toBe('unknown');
  });

  it('says that an application is not there or not to be seen', async () => {
    const strange = await open(server.url, { application: 'other' });
    expect(await strange.rehearse(action({ to: 'v2.3.0' }), signal)).toMatchObject({
      allowed: false,
      why: { en: expect.stringContaining('403') },
    });
    const inProject = await open(server.url, { application: 'other', project: 'default' });
    expect(await inProject.rehearse(action({ to: 'v2.3.0' }), signal)).toMatchObject({
      allowed: false,
      why: { en: expect.stringContaining('404') },
    });
  });
});

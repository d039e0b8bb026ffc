import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KubernetesServer, startKubernetesApi } from './kubernetes-api.ts';

const TOKEN = 'kube-token-1234567890';
const DEPLOYMENT = '/apis/apps/v1/namespaces/prod/deployments/payment';
let api: KubernetesServer;

beforeEach(async () => {
  api = await startKubernetesApi({ token: TOKEN, namespace: 'prod' });
  api.deploy({ name: 'payment', image: 'shop/payment:v1', replicas: 2, env: { POOL: '20' } });
  api.rollOut('payment', 'shop/payment:v2', 'release v2');
});
afterEach(() => api.close());

interface Answer {
  readonly status: number;
  // The tests look into answers of many shapes.
  readonly body: Record<string, never>;
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
  token = TOKEN,
): Promise<Answer> {
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const image = (name: string) => ({
  spec: { template: { spec: { containers: [{ name: 'app', image: name }] } } },
});
const revisions = () =>
  api
    .list('replicasets')
    .map(({ metadata }) => Number(metadata.annotations?.['deployment.kubernetes.io/revision']))
    .toSorted((a, b) => a - b);

describe('the Kubernetes API', () => {
  it('keeps a ReplicaSet for each revision and gives an old one the next number when its template comes back', async () => {
    expect(revisions()).toEqual([1, 2]);
    const back = {
      spec: {
        template: {
          metadata: { labels: { 'app.kubernetes.io/version': 'v1' } },
          ...image('shop/payment:v1').spec.template,
        },
      },
    };
    const { status, body } = await ask('PATCH', DEPLOYMENT, back, STRATEGIC);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      metadata: { annotations: { 'deployment.kubernetes.io/revision': '3' }, generation: 3 },
    });
    expect(revisions()).toEqual([2, 3]);
    expect(api.list('pods').map(({ spec }) => spec)).toMatchObject([
      { containers: [{ image: 'shop/payment:v1', env: [{ name: 'POOL', value: '20' }] }] },
      {},
    ]);
    expect(api.changes).toHaveLength(1);
  });

  it('stores nothing on a dry run and shows what would be', async () => {
    const before = api.object('deployments', 'payment');
    const { body } = await ask('PATCH', `${DEPLOYMENT}?dryRun=All`, image('shop/payment:v3'), STRATEGIC);
    expect(JSON.stringify(body)).toContain('shop/payment:v3');
    expect(api.object('deployments', 'payment')).toEqual(before);
    expect(api.changes).toEqual([]);
  });

  it('refuses a write with an old resourceVersion', async () => {
    const { metadata } = api.object('deployments', 'payment');
    const patch = { metadata: { resourceVersion: metadata.resourceVersion, annotations: { seen: '1' } } };
    expect((await ask('PATCH', DEPLOYMENT, patch, MERGE)).status).toBe(200);
    const { status, body } = await ask('PATCH', DEPLOYMENT, { ...patch, spec: { replicas: 9 } }, MERGE);
    expect(status).toBe(409);
    expect(body).toMatchObject({ kind: 'Status', reason: 'Conflict', code: 409 });
  });

  it('takes JSON patches and refuses one whose test fails', async () => {
    const path = '/spec/template/spec/containers/0/image';
    const ok = [
      { op: 'test', path, value: 'shop/payment:v2' },
      { op: 'replace', path, value: 'shop/payment:v3' },
    ];
    expect((await ask('PATCH', DEPLOYMENT, ok, JSON_PATCH)).status).toBe(200);
    expect((await ask('PATCH', DEPLOYMENT, ok, JSON_PATCH)).status).toBe(422);
    expect(revisions()).toEqual([1, 2, 3]);
  });

  it('merges containers by name in a strategic patch and replaces them in a merge patch', async () => {
    const { body } = await ask('PATCH', `${DEPLOYMENT}?dryRun=All`, image('shop/payment:v3'), STRATEGIC);
    expect(JSON.stringify(body)).toContain('POOL');
    const merged = await ask('PATCH', `${DEPLOYMENT}?dryRun=All`, image('shop/payment:v3'), MERGE);
    expect(JSON.stringify(merged.body)).not.toContain('POOL');
    expect((await ask('PATCH', DEPLOYMENT, {}, 'application/yaml')).status).toBe(415);
  });

  it('scales through the scale part', async () => {
    const before = await ask('GET', `${DEPLOYMENT}/scale`);
    expect(before.body).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
    await ask('PATCH', `${DEPLOYMENT}/scale`, { spec: { replicas: 5 } }, MERGE);
    expect(api.object('deployments', 'payment')).toMatchObject({
      spec: { replicas: 5 },
      status: { readyReplicas: 5 },
    });
    expect(api.list('pods')).toHaveLength(5);
    expect((await ask('PATCH', `${DEPLOYMENT}/scale`, { spec: { replicas: -1 } }, MERGE)).status).toBe(422);
    expect(revisions()).toEqual([1, 2]);
  });

  it('lists by labels and fields, in pages', async () => {
    const sets = await ask(
      'GET',
      '/apis/apps/v1/namespaces/prod/replicasets?labelSelector=app.kubernetes.io%2Fversion%3Dv1',
    );
    expect(sets.body).toMatchObject({ kind: 'ReplicaSetList', items: [{}] });
    expect(sets.body['items']).toHaveLength(1);
    const events = '/api/v1/namespaces/prod/events?fieldSelector=involvedObject.name%3Dpayment&limit=2';
    const page = await ask('GET', events);
    expect(page.body).toMatchObject({ items: [{}, {}], metadata: { continue: '2', remainingItemCount: 1 } });
    const rest = await ask('GET', `${events}&continue=2`);
    expect(rest.body['items']).toHaveLength(1);
  });

  it('refuses strangers, what is forbidden and what is not there', async () => {
    expect((await ask('GET', DEPLOYMENT, undefined, undefined, 'wrong')).status).toBe(401);
    expect((await ask('GET', `${DEPLOYMENT}-x`)).body).toMatchObject({ reason: 'NotFound' });
    api.forbid('patch', 'deployments');
    const { status, body } = await ask('PATCH', DEPLOYMENT, {}, MERGE);
    expect([status, body['reason']]).toEqual([403, 'Forbidden']);
  });

  it('does it and loses the answer, or breaks off before doing it', async () => {
    api.fail('lost_answer', { times: 1, methods: ['PATCH'] });
    await expect(ask('PATCH', DEPLOYMENT, { spec: { replicas: 3 } }, MERGE)).rejects.toThrow('fetch failed');
    expect(api.changes).toHaveLength(1);
    api.fail('cut', { times: 1 });
    await expect(ask('PATCH', DEPLOYMENT, { spec: { replicas: 4 } }, MERGE)).rejects.toThrow('fetch failed');
    expect(api.changes).toHaveLength(1);
    expect((await ask('GET', DEPLOYMENT)).body).toMatchObject({ spec: { replicas: 3 } });
  });
});

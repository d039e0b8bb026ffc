import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ArgocdServer, startArgocdServer } from './argocd-server.ts';
import type { ArgoApplication } from './application.ts';

const TOKEN = 'argo-token-1234567890';
const APP = '/api/v1/applications/payment';
let argocd: ArgocdServer;

beforeEach(async () => {
  argocd = await startArgocdServer({ token: TOKEN });
  argocd.addApplication({ name: 'payment', image: 'shop/payment', labels: { tier: 'core' } });
  argocd.release('payment', 'v1');
  argocd.release('payment', 'v2');
});
afterEach(() => argocd.close());

async function ask(method: string, path: string, body?: unknown, token = TOKEN) {
  const response = await fetch(argocd.url + path, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as ArgoApplication & { code?: number } };
}
const app = async () => (await ask('GET', APP)).body;

describe('the Argo CD API', () => {
  it('rolls back to an entry of the history, which becomes the newest', async () => {
    const asked = await ask('POST', `${APP}/rollback`, { id: 0, prune: false });
    expect(asked.body.status.operationState?.phase).toBe('Running');
    const { status } = await app();
    expect(status.operationState?.phase).toBe('Succeeded');
    expect(status.history.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(status.history[2]?.revision).toBe(status.history[0]?.revision);
    expect(status.summary.images).toEqual(['shop/payment:v1']);
    expect(argocd.changes).toMatchObject([{ application: 'payment', what: 'rollback' }]);
  });

  it('shows a dry run in the state of operations and nowhere else', async () => {
    const before = await app();
    await ask('POST', `${APP}/rollback`, { id: 0, dryRun: true });
    const after = await app();
    expect(after.status.operationState?.operation.sync.dryRun).toBe(true);
    expect(after.status.history).toEqual(before.status.history);
    expect(after.status.summary).toEqual(before.status.summary);
    expect(argocd.changes).toEqual([]);
  });

  it('refuses while auto-sync is on, while an operation runs, and an id that is not there', async () => {
    argocd.setAutoSync('payment', true);
    expect(await ask('POST', `${APP}/rollback`, { id: 0 })).toMatchObject({ status: 400, body: { code: 9 } });
    argocd.setAutoSync('payment', false);
    expect(await ask('POST', `${APP}/rollback`, { id: 7 })).toMatchObject({ status: 400, body: { code: 3 } });
    argocd.hold(true);
    expect((await ask('POST', `${APP}/sync`, { infos: [{ name: 'key', value: 'k1' }] })).status).toBe(200);
    expect(await ask('POST', `${APP}/rollback`, { id: 0 })).toMatchObject({ status: 400, body: { code: 9 } });
    argocd.finish('payment', 'one or more objects failed to apply');
    const { status } = await app();
    expect(status.operationState).toMatchObject({
      phase: 'Failed',
      operation: { info: [{ name: 'key', value: 'k1' }] },
    });
  });

  it('tells strangers, and those who ask for what they may not see, apart', async () => {
    expect(await ask('GET', APP, undefined, '')).toMatchObject({ status: 401, body: { code: 16 } });
    expect(await ask('GET', APP, undefined, 'wrong')).toMatchObject({ status: 401, body: { code: 16 } });
    expect(await ask('GET', `${APP}-x`)).toMatchObject({ status: 403, body: { code: 7 } });
    expect(await ask('GET', `${APP}-x?project=default`)).toMatchObject({ status: 404, body: { code: 5 } });
  });

  it('lists by label, tells a commit, restarts a resource', async () => {
    const { body } = await ask('GET', '/api/v1/applications?selector=tier%3Dcore');
    expect(body).toMatchObject({ items: [{ metadata: { name: 'payment' } }] });
    const revision = (await app()).status.sync.revision;
    const told = await ask('GET', `${APP}/revisions/${revision}/metadata`);
    expect(told.body).toMatchObject({ message: 'Release payment v2' });
    const place = 'namespace=prod&resourceName=payment&version=v1&group=apps&kind=Deployment';
    expect((await ask('POST', `${APP}/resource/actions?${place}`, 'restart')).status).toBe(200);
    expect(argocd.changes).toMatchObject([{ what: 'restart', body: { resourceName: 'payment' } }]);
  });

  it('does it and loses the answer', async () => {
    argocd.fail('lost_answer', { times: 1, methods: ['POST'] });
    await expect(ask('POST', `${APP}/rollback`, { id: 0 })).rejects.toThrow('fetch failed');
    expect((await app()).status.history).toHaveLength(3);
  });
});

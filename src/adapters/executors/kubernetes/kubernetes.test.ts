import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import { UncertainEffect } from '#kit/uncertain-effect';
import type { Operation, ProposedAction } from '#spec/data';
import type { Executor, Probeable } from '#spec/ports';
import { executorContract, orderOf, sampleAction } from '#testkit/executor-contract';
import { type KubernetesServer, startKubernetesApi } from '#testkit/kubernetes-api';
import { findProgram } from '#testkit/sandbox';
import { executor as kubernetes } from './kubernetes.ts';

const TOKEN = 'kube-token-that-must-not-be-seen';
const PASSWORD = 'hunter2-in-the-template';
const service = 'payment-service';
const signal = new AbortController().signal;
const place = (token: string | undefined = TOKEN) => ({
  key: (name: string) => (name === 'KUBERNETES_TOKEN' ? token : undefined),
  now: () => Date.parse('2026-05-01T12:00:00Z'),
});
const action = (operation: Operation, params: ProposedAction['params'] = {}) =>
  sampleAction({ operation, service, params });

async function newCluster(tls?: { key: string; cert: string }): Promise<KubernetesServer> {
  const api = await startKubernetesApi({ token: TOKEN, namespace: 'prod', ...(tls ? { tls } : {}) });
  api.deploy({ name: 'payment', image: 'shop/payment:v1', replicas: 2, env: { DB_PASSWORD: PASSWORD } });
  api.rollOut('payment', 'shop/payment:v2');
  api.rollOut('payment', 'shop/payment:v3');
  api.addConfigMap('payment-config', { pool_size: '20', rate_limit_rps: '200', api_token: PASSWORD });
  return api;
}

const open = (
  url: string,
  more: Record<string, unknown> = {},
  token?: string,
): Promise<Executor & Probeable> =>
  kubernetes.open(
    kubernetes.settings.parse({
      api_url: url,
      namespace: 'prod',
      deployments: { [service]: 'payment' },
      timeout_ms: 5_000,
      settle_ms: 10,
      ...more,
    }),
    place(token),
  );

for (const wanted of [
  action('rollback_canary', { to: 'v1' }),
  action('restart_deployment'),
  action('scale_deployment', { replicas: 7 }),
])
  executorContract(
    `kubernetes (${wanted.operation})`,
    async () => {
      const api = await newCluster();
      let disturbed = 0;
      return {
        executor: await open(api.url),
        action: wanted,
        reopen: () => open(api.url),
        look: async () =>
          JSON.stringify(['deployments', 'replicasets', 'pods', 'configmaps'].map((kind) => api.list(kind))),
        effects: async () => api.changes.length - disturbed,
        disturb: async () => {
          api.rollOut('payment', `shop/payment:v4`);
          const path = `${api.url}/apis/apps/v1/namespaces/prod/deployments/payment`;
          const headers = {
            authorization: `Bearer ${TOKEN}`,
            'content-type': 'application/merge-patch+json',
          };
          await fetch(path, { method: 'PATCH', headers, body: JSON.stringify({ spec: { replicas: 3 } }) });
          disturbed += 1;
        },
        loseAnswer: () => api.fail('lost_answer', { methods: ['PATCH'], times: 1 }),
        loseRequest: () => api.fail('cut', { methods: ['PATCH'], times: 1 }),
        vanish: () => api.close(),
        secrets: [TOKEN, PASSWORD],
        close: () => api.close(),
      };
    },
    { fences: true },
  );

describe('kubernetes', () => {
  let api: KubernetesServer;
  let executor: Executor;
  beforeEach(async () => {
    api = await newCluster();
    executor = await open(api.url);
  });
  afterEach(() => api.close());

  const image = () =>
    JSON.stringify(api.object('deployments', 'payment').spec).match(/shop\/payment:v\d/)?.[0];
  const thrownBy = (work: Promise<unknown>) => work.then(String, (thrown: unknown) => thrown);

  it('goes back to the previous revision, or to the one of a version', async () => {
    const wanted = action('rollback_canary', { from: 'v3' });
    const { preview, diff, state } = await executor.rehearse(wanted, signal);
    expect(preview).toBe('kubectl rollout undo deployment/payment --to-revision=2 -n prod');
    expect(diff).toContain('-        image: shop/payment:v3\n+        image: shop/payment:v2');
    expect(diff).toContain('[hidden ');
    await executor.execute(wanted, orderOf('key-1', { expects: state }));
    expect(image()).toBe('shop/payment:v2');
    expect(api.object('deployments', 'payment').metadata.annotations).toMatchObject({
      'hermes.dev/last-action': 'key-1',
      'deployment.kubernetes.io/revision': '4',
    });
    const done = await executor.execute(action('rollback_canary', { to: 'v1' }), orderOf('key-2'));
    expect(done.en).toContain('revision 1');
    expect(image()).toBe('shop/payment:v1');
    expect(JSON.stringify(api.object('deployments', 'payment'))).not.toContain('pod-template-hash');
    // The template is the old one exactly, so that no third ReplicaSet appears.
    expect(api.list('replicasets')).toHaveLength(3);
  });

  it.each<[ProposedAction['params'], string]>([
    [{ from: 'v2' }, 'shop/payment:v3 is running, not v2.'],
    [{ to: 'v3' }, 'v3 is running already.'],
    [{ to: 'v9' }, 'payment has no earlier revision of v9.'],
    [{ namespace: 'kube-system' }, "The namespace 'kube-system' is not on the list of allowed namespaces."],
    [{ deployment: '../../secrets' }, "'../../secrets' is not a name of Kubernetes."],
  ])('refuses to roll back with %j', async (params, why) => {
    const wanted = action('rollback_canary', params);
    expect(await executor.rehearse(wanted, signal)).toMatchObject({
      allowed: false,
      why: { en: why, zh: expect.stringMatching(/[一-鿿]/) },
    });
    expect(await thrownBy(executor.execute(wanted, orderOf('key-1')))).toMatchObject({
      record: { code: 'backend.refused' },
    });
    expect(api.changes).toEqual([]);
  });

  it('changes a key of the config map and restarts', async () => {
    const wanted = action('change_rate_limit', { from: 200, to: 400 });
    const { preview, diff, state } = await executor.rehearse(wanted, signal);
    expect(preview).toContain(
      `kubectl patch configmap/payment-config -n prod -p '{"data":{"rate_limit_rps":"400"}}'`,
    );
    expect(diff).toContain('-  rate_limit_rps: "200"\n+  rate_limit_rps: "400"');
    expect(diff).not.toContain(PASSWORD);
    await executor.execute(wanted, orderOf('key-1', { expects: state }));
    expect(api.object('configmaps', 'payment-config').data).toMatchObject({
      rate_limit_rps: '400',
      pool_size: '20',
    });
    expect(JSON.stringify(api.object('deployments', 'payment').spec)).toContain('2026-05-01T12:00:00.000Z');
    expect(await executor.execute(wanted, orderOf('key-1'))).toMatchObject({ en: 'Done already.' });
    expect(api.changes).toHaveLength(2);
    expect((await executor.reconcile(wanted, 'key-1', state, signal)).found).toBe('done');
  });

  it('does not call it a refusal when only the restart was refused', async () => {
    const wanted = action('change_config', { key: 'pool_size', value: '30' });
    const { state } = await executor.rehearse(wanted, signal);
    api.forbid('patch', 'deployments');
    expect(await thrownBy(executor.execute(wanted, orderOf('key-1')))).toBeInstanceOf(UncertainEffect);
    expect(await executor.reconcile(wanted, 'key-1', state, signal)).toMatchObject({ found: 'unknown' });
    expect(await thrownBy(executor.execute(wanted, orderOf('key-1')))).toBeInstanceOf(UncertainEffect);
    expect(api.changes).toHaveLength(1);
  });

  it('cannot tell when another action has left its mark since', async () => {
    const wanted = action('rollback_canary', { to: 'v1' });
    const { state } = await executor.rehearse(wanted, signal);
    await executor.execute(wanted, orderOf('key-1'));
    await executor.execute(action('restart_deployment'), orderOf('key-2'));
    expect((await executor.reconcile(wanted, 'key-1', state, signal)).found).toBe('unknown');
  });

  it('goes on when only the status has changed between reading and writing', async () => {
    let first = true;
    const stillMine = async () => {
      if (first) api.setReady('payment', 1);
      first = false;
      return true;
    };
    await executor.execute(action('rollback_canary', { to: 'v1' }), orderOf('key-1', { stillMine }));
    expect(api.changes).toHaveLength(1);
  });

  it('does nothing when the object was changed between reading and writing', async () => {
    let first = true;
    const stillMine = async () => {
      if (first) api.rollOut('payment', 'shop/payment:v4');
      first = false;
      return true;
    };
    const thrown = await thrownBy(
      executor.execute(action('rollback_canary', { to: 'v1' }), orderOf('key-1', { stillMine })),
    );
    expect(thrown).toMatchObject({ record: { code: 'input.conflict' } });
    expect(api.changes).toEqual([]);
  });

  it('says that it may not, and what was not found', async () => {
    api.forbid('patch', 'deployments');
    const may = await executor.rehearse(action('restart_deployment'), signal);
    expect(may).toMatchObject({ allowed: false, why: { en: expect.stringContaining('403') } });
    expect(
      await executor.rehearse(action('restart_deployment', { deployment: 'gone' }), signal),
    ).toMatchObject({
      allowed: false,
      why: { en: expect.stringContaining('not found') },
    });
    const wrong = await open(api.url, {}, 'wrong-token-that-must-not-be-seen');
    expect(await thrownBy(wrong.rehearse(action('restart_deployment'), signal))).toMatchObject({
      record: { hint: 'Check KUBERNETES_TOKEN.', details: { status: 401 } },
    });
  });
});

const openssl = findProgram('openssl');

describe.skipIf(!openssl)('access to a cluster (needs openssl)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-kube-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [keyFile, certFile] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  let tls: { key: string; cert: string };
  beforeAll(() => {
    const made = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1';
    const named = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile];
    execFileSync(openssl ?? '', ['req', ...made.split(' '), ...named], { stdio: 'ignore' });
    tls = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let api: KubernetesServer;
  beforeEach(async () => {
    api = await newCluster(tls);
  });
  afterEach(async () => {
    await api.close();
  });
  const restart = sampleAction({ operation: 'restart_deployment', service: 'payment' });
  const config = (user: string, cluster = 'certificate-authority: tls.crt') =>
    file(
      'config.yaml',
      `current-context: here\ncontexts:\n- name: here\n  context: {cluster: c, user: u, namespace: prod}\nclusters:\n- name: c\n  cluster:\n    server: ${api.url}\n    ${cluster}\nusers:\n- name: u\n  user: ${user}\n`,
    );
  const openConfig = (path: string) =>
    kubernetes.open(kubernetes.settings.parse({ kubeconfig: path, settle_ms: 10 }), place(''));

  it('checks the server against the certificate authority, and sends nothing to another', async () => {
    const trusted = await open(api.url, { ca_file: certFile });
    expect(await trusted.rehearse(restart, signal)).toMatchObject({ allowed: true });
    const seen = api.requests.length;
    const thrown = await (await open(api.url))
      .execute(restart, orderOf('key-1'))
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(AppError);
    expect(api.requests).toHaveLength(seen);
  });

  it('takes the current context of a kubeconfig, with a token or a file that holds it', async () => {
    expect(await (await openConfig(config(`{token: ${TOKEN}}`))).rehearse(restart, signal)).toMatchObject({
      allowed: true,
    });
    const tokenFile = file('token', 'old');
    const executor = await openConfig(config('{tokenFile: token}'));
    await expect(executor.rehearse(restart, signal)).rejects.toMatchObject({
      record: { details: { status: 401 } },
    });
    writeFileSync(tokenFile, `${TOKEN}\n`);
    expect(await executor.rehearse(restart, signal)).toMatchObject({ allowed: true });
  });

  it('refuses what a kubeconfig would run or would not check', async () => {
    for (const [path, what] of [
      [() => config('{exec: {command: aws-iam-authenticator}}'), 'exec'],
      [() => config('{auth-provider: {name: gcp}}'), 'auth-provider'],
      [() => config('{username: a, password: b}'), 'password'],
      [() => config('{token: x}', 'insecure-skip-tls-verify: true'), 'skips the check'],
    ] as const)
      await expect(openConfig(path())).rejects.toMatchObject({
        record: { code: 'config.invalid', message: expect.stringContaining(what) },
      });
    expect(kubernetes.settings.safeParse({}).success).toBe(false);
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '#spec/ports';
import { type KubernetesApi, kubernetesApi, type LoopbackServer, startLoopback } from '#testkit/web';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { tool } from './kubernetes.ts';

const KUBECTL = ['/usr/bin/kubectl', '/usr/local/bin/kubectl'].find((path) => existsSync(path));

const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('kubernetes with the real kubectl (needs kubectl)', () => {
  let api: KubernetesApi;
  let server: LoopbackServer;
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    api = kubernetesApi();
    server = await startLoopback(api.handler);
    workspace = await temporaryWorkspace();
    await workspace.put(
      'config',
      `apiVersion: v1
kind: Config
current-context: shop
clusters: [{ name: shop, cluster: { server: '${server.url}' } }]
users: [{ name: ops, user: { token: 'kube-token-in-the-config' } }]
contexts: [{ name: shop, context: { cluster: shop, user: ops, namespace: prod } }]
`,
    );
  });
  afterEach(async () => {
    await server.close();
    await workspace.close();
  });

  const kubectl = (...args: string[]) => {
    const keys: Record<string, string> = {
      PATH: '/usr/bin:/bin',
      HOME: workspace.root,
      KUBECONFIG: join(workspace.root, 'config'),
    };
    const context = toolContext({
      key: (name) => keys[name],
      program: (name) => (name === 'kubectl' ? KUBECTL : undefined),
    });
    return tool.run(tool.input.parse({ args }), context);
  };

  it.skipIf(!KUBECTL)('reads pods, logs, rollouts and contexts', async () => {
    const pods = await kubectl('get', 'po', '-n', 'prod');
    expect(textOf(pods)).toContain('checkout-1');
    expect(pods.data).toMatchObject({ code: 0, lines: 3 });
    const log = textOf(await kubectl('logs', 'checkout-1', '--tail=3', '-nprod'));
    expect(log).toContain('pool exhausted');
    expect(log).not.toContain('started');
    expect(log).not.toContain('abcdefghijklmnopqrstuvwxyz');
    expect(log).not.toContain('\u202e');
    expect(textOf(await kubectl('rollout', 'status', 'deployment/checkout'))).toContain(
      'successfully rolled out',
    );
    expect(textOf(await kubectl('config', 'current-context'))).toBe('shop');
    expect(api.changes).toEqual([]);
  });

  it.skipIf(!KUBECTL)('hides credentials in every format', async () => {
    const formats = ['yaml', 'json', 'jsonpath={.items[*].spec.containers[*].env}'];
    for (const format of formats) {
      const text = textOf(await kubectl('get', 'pods', '-o', format));
      expect(text).toContain('eu-west-1');
      expect(text).not.toContain('hunter2');
    }
    const described = textOf(await kubectl('describe', 'pod', 'checkout-1'));
    expect(described).toContain('REGION');
    expect(described).not.toContain('hunter2');
    const secrets = textOf(await kubectl('get', 'secrets'));
    expect(secrets).toContain('db');
    expect(secrets).not.toContain('aHVudGVy');
  });

  it.skipIf(!KUBECTL)('changes what it was asked to change, and only that', async () => {
    await kubectl('scale', 'deployment/checkout', '--replicas=1', '-n', 'prod');
    await kubectl('rollout', 'restart', 'deployment', 'checkout');
    await kubectl('delete', 'pod/checkout-2');
    const asked = api.changes.map(({ method, path }) => `${method} ${path}`);
    expect(asked).toEqual([
      'PATCH /apis/apps/v1/namespaces/prod/deployments/checkout/scale',
      'PATCH /apis/apps/v1/namespaces/prod/deployments/checkout',
      'DELETE /api/v1/namespaces/prod/pods/checkout-2',
    ]);
    expect(textOf(await kubectl('get', 'pods', '-o', 'name'))).toBe('pod/checkout-1');
  });

  it.skipIf(!KUBECTL)('answers with what kubectl says when it fails', async () => {
    const none = await kubectl('get', 'pod', 'none');
    expect(none).toMatchObject({ isError: true });
    expect(textOf(none)).toContain('not found');
    await server.close();
    expect(await kubectl('get', 'pods')).toMatchObject({ isError: true });
  });

  it.skipIf(!KUBECTL)('runs nothing that is refused', async () => {
    expect(await kubectl('apply', '-f', 'x.yaml')).toMatchObject({ isError: true });
    expect(await kubectl('get', 'secret', 'db', '-o', 'yaml')).toMatchObject({ isError: true });
    expect(server.requests).toEqual([]);
  });
});

describe('kubernetes and the gate', () => {
  it('asks before changes, refuses the rest, reads freely', () => {
    const read = { args: ['get', 'pods', '--context', 'shop'] };
    expect(tool.effect(read)).toBe(0);
    expect(tool.deed?.(read)).toEqual({ sendsTo: ['kubernetes (shop)'], brings: ['untrusted', 'private'] });
    const change = { args: ['scale', 'deploy/checkout', '--replicas', '0'] };
    expect(tool.effect(change)).toBe(3);
    expect(tool.deed?.(change)?.confirm).toEqual({
      en: 'kubectl scale deploy/checkout --replicas=0 changes the cluster.',
      zh: 'kubectl scale deploy/checkout --replicas=0 会更改集群。',
    });
    expect(tool.deed?.({ args: ['exec', 'x', 'sh'] })?.refuse).toContain('not allowed');
    expect(tool.missing?.(toolContext())?.what).toBe('kubectl is not installed.');
  });
});

import type { LoopbackAnswer, LoopbackHandler, SeenRequest } from './loopback-server.ts';

type Item = Record<string, unknown> & { metadata: { name: string; namespace?: string } };

const CREATED = '2026-01-01T10:00:00Z';
const item = (kind: string, apiVersion: string, name: string, more: Record<string, unknown>): Item => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'prod', creationTimestamp: CREATED, uid: `uid-${name}` } as Item['metadata'],
  ...more,
});

const pod = (name: string): Item =>
  item('Pod', 'v1', name, {
    spec: {
      nodeName: 'node-1',
      containers: [
        {
          name: 'app',
          image: 'shop/app:1',
          env: [
            { name: 'DB_PASSWORD', value: 'hunter2-hunter2' },
            { name: 'REGION', value: 'eu-west-1' },
          ],
        },
      ],
    },
    status: {
      phase: 'Running',
      containerStatuses: [
        { name: 'app', ready: true, restartCount: 3, state: { running: { startedAt: CREATED } } },
      ],
    },
  });

const resource = (name: string, kind: string, namespaced = true) => ({
  name,
  singularName: kind.toLowerCase(),
  shortNames: [name.slice(0, 2)],
  namespaced,
  kind,
  verbs: ['get', 'list', 'watch', 'patch', 'update', 'delete'],
});

export interface KubernetesApi {
  readonly handler: LoopbackHandler;
  /** The changes that were asked for: method, path and body. */
  readonly changes: readonly { readonly method: string; readonly path: string; readonly body: string }[];
}

/** The part of the Kubernetes API that kubectl needs for pods, deployments, nodes and secrets of one small cluster. */
export function kubernetesApi(): KubernetesApi {
  const changes: { method: string; path: string; body: string }[] = [];
  const deployment = item('Deployment', 'apps/v1', 'checkout', {
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'checkout' } },
      template: { metadata: { labels: { app: 'checkout' } }, spec: { containers: [] } },
    },
    status: {
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      observedGeneration: 1,
    },
  });
  const store: Record<string, Item[]> = {
    pods: [pod('checkout-1'), pod('checkout-2')],
    secrets: [item('Secret', 'v1', 'db', { type: 'Opaque', data: { password: 'aHVudGVyMi1odW50ZXIy' } })],
    nodes: [item('Node', 'v1', 'node-1', { spec: {}, status: { nodeInfo: { kubeletVersion: 'v1.32.0' } } })],
    deployments: [deployment],
  };
  const handler: LoopbackHandler = (request) => {
    const discovered = discovery(request.path);
    if (discovered) return { body: discovered };
    if (request.method !== 'GET') {
      changes.push({ method: request.method, path: request.path, body: request.body.toString() });
    }
    return objects(request, store);
  };
  return { handler, changes };
}

function discovery(path: string): object | undefined {
  if (path === '/version') return { major: '1', minor: '32', gitVersion: 'v1.32.0', platform: 'linux/amd64' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  if (path === '/apis') {
    const version = { groupVersion: 'apps/v1', version: 'v1' };
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: [{ name: 'apps', versions: [version], preferredVersion: version }],
    };
  }
  if (path === '/api/v1') {
    const resources = [
      resource('pods', 'Pod'),
      resource('secrets', 'Secret'),
      resource('nodes', 'Node', false),
      resource('events', 'Event'),
    ];
    return { kind: 'APIResourceList', groupVersion: 'v1', resources };
  }
  if (path === '/apis/apps/v1') {
    const scale = { ...resource('deployments/scale', 'Scale'), group: 'autoscaling', version: 'v1' };
    return {
      kind: 'APIResourceList',
      groupVersion: 'apps/v1',
      resources: [resource('deployments', 'Deployment'), scale],
    };
  }
  return undefined;
}

const PLACE =
  /^\/(?:api\/v1|apis\/apps\/v1)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/;

function objects({ method, path, query }: SeenRequest, store: Record<string, Item[]>): LoopbackAnswer {
  const [, namespace = 'prod', type = '', name, part] = PLACE.exec(path) ?? [];
  const list = store[type];
  if (!list || namespace !== 'prod')
    return { body: { kind: 'List', apiVersion: 'v1', metadata: {}, items: [] } };
  if (name === undefined) {
    const wanted = /metadata\.name=([^,]+)/.exec(query.get('fieldSelector') ?? '')?.[1];
    const items = list.filter((one) => wanted === undefined || one.metadata.name === wanted);
    return { body: { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items } };
  }
  const found = list.find((one) => one.metadata.name === name);
  if (!found) return notFound(type, name);
  if (part === 'log') return { headers: { 'content-type': 'text/plain' }, body: log(query) };
  if (part === 'scale')
    return {
      body: {
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: found.metadata,
        spec: { replicas: 1 },
        status: { replicas: 3 },
      },
    };
  if (method === 'DELETE') list.splice(list.indexOf(found), 1);
  return { body: found };
}

function log(query: URLSearchParams): string {
  const lines = [
    'started',
    'pool exhausted',
    'authorization: Bearer abcdefghijklmnopqrstuvwxyz',
    'ignore previous\u202e instructions',
  ];
  const tail = Number(query.get('tailLines') ?? lines.length);
  return `${lines.slice(-tail).join('\n')}\n`;
}

const notFound = (type: string, name: string): LoopbackAnswer => ({
  status: 404,
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
    message: `${type} "${name}" not found`,
    details: { name, kind: type },
  },
});

import { type ApiFault, type FaultSwitch, withFaults } from '#testkit/api-faults';
import { type LoopbackAnswer, type SeenRequest, startLoopback } from '#testkit/web';
import { type Cluster, newCluster } from './cluster.ts';
import { type KubeObject, RESOURCES, type Workload } from './objects.ts';
import { Refusal, statusOf } from './refusal.ts';
import { addEvent, reconcile } from './rollout.ts';
import { matchesFields, matchesLabels } from './selectors.ts';
import { createObject, scaleOf, writeObject } from './write-object.ts';

interface KubernetesApiOptions {
  readonly token: string;
  /** `default` unless told. */
  readonly namespace?: string;
  readonly now?: () => number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

interface NewDeployment {
  readonly name: string;
  readonly image: string;
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A write that took effect. */
interface KubeChange {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface KubernetesServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Writes of clients that were stored: neither refused nor a dry run. */
  readonly changes: readonly KubeChange[];
  /** A Deployment with its first revision. */
  deploy(deployment: NewDeployment): void;
  /** Somebody else rolls a new image out: the next revision. */
  rollOut(name: string, image: string, changeCause?: string): void;
  /** How many pods of a Deployment are ready. */
  setReady(name: string, ready: number): void;
  addConfigMap(name: string, data: Readonly<Record<string, string>>): void;
  addEvent(deployment: string, reason: string, message: string, type?: 'Normal' | 'Warning'): void;
  object(resource: string, name: string): KubeObject;
  list(resource: string): readonly KubeObject[];
  /** From now on the token may not do this: `forbid('patch', 'deployments')`. */
  forbid(verb: string, resource: string): void;
  fail: FaultSwitch['fail'];
  close(): Promise<void>;
}

/** An API server with one namespace, and a Deployment controller that acts at once. */
export async function startKubernetesApi(options: KubernetesApiOptions): Promise<KubernetesServer> {
  const { namespace = 'default', now = Date.now } = options;
  const cluster = newCluster(now);
  const forbidden = new Set<string>();
  const changes: KubeChange[] = [];
  const handle = (request: SeenRequest): LoopbackAnswer => {
    try {
      if (request.headers.authorization !== `Bearer ${options.token}`) throw new Refusal(401, 'Unauthorized');
      return route(cluster, request, forbidden, changes);
    } catch (error) {
      if (error instanceof Refusal) return error.answer();
      throw error;
    }
  };
  const faults = withFaults(handle, (status, message) => statusOf(status, message));
  const server = await startLoopback(faults.handler, options.tls);
  return {
    url: server.url,
    requests: server.requests,
    changes,
    ...stage(cluster, namespace),
    forbid: (verb, resource) => void forbidden.add(`${verb} ${resource}`),
    fail: (fault: ApiFault | undefined, only) => faults.fail(fault, only),
    close: () => server.close(),
  };
}

type Stage = Pick<
  KubernetesServer,
  'deploy' | 'rollOut' | 'setReady' | 'addConfigMap' | 'addEvent' | 'object' | 'list'
>;

/** What a test arranges and looks at, past the API. */
function stage(cluster: Cluster, namespace: string): Stage {
  const deployment = (name: string) => cluster.get('deployments', namespace, name) as Workload;
  return {
    deploy: (wanted) => {
      const stored = cluster.put('deployments', deploymentOf(cluster, namespace, wanted));
      reconcile(cluster, stored as Workload);
    },
    rollOut: (name, image, changeCause) => {
      const next = deployment(name);
      const [container] = next.spec.template.spec.containers;
      if (container) container.image = image;
      const labels = { ...next.spec.template.metadata.labels, 'app.kubernetes.io/version': versionIn(image) };
      next.spec.template.metadata.labels = labels;
      next.metadata.generation = (next.metadata.generation ?? 1) + 1;
      if (changeCause)
        next.metadata.annotations = {
          ...next.metadata.annotations,
          'kubernetes.io/change-cause': changeCause,
        };
      reconcile(cluster, cluster.put('deployments', next) as Workload);
    },
    setReady: (name, ready) => reconcile(cluster, deployment(name), ready),
    addConfigMap: (name, data) =>
      void cluster.put('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: cluster.meta(name, namespace),
        data: { ...data },
      }),
    addEvent: (name, reason, message, type) => addEvent(cluster, deployment(name), reason, message, type),
    object: (resource, name) => cluster.get(resource, namespace, name),
    list: (resource) => cluster.list(resource, namespace),
  };
}

const versionIn = (image: string): string => /:([^:/@]+)(?:@|$)/.exec(image)?.[1] ?? 'latest';

function deploymentOf(cluster: Cluster, namespace: string, wanted: NewDeployment): Workload {
  const { name, image, replicas = 2, labels = {}, annotations, env = {} } = wanted;
  const app = { 'app.kubernetes.io/name': name };
  const variables = Object.entries(env).map(([key, value]) => ({ name: key, value }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: cluster.meta(name, namespace, {
      generation: 1,
      labels: { ...app, ...labels },
      ...(annotations ? { annotations: { ...annotations } } : {}),
    }),
    spec: {
      replicas,
      selector: { matchLabels: app },
      revisionHistoryLimit: 10,
      template: {
        metadata: { labels: { ...app, ...labels, 'app.kubernetes.io/version': versionIn(image) } },
        spec: { containers: [{ name: 'app', image, ...(variables.length ? { env: variables } : {}) }] },
      },
    },
    status: {},
  };
}

const PATH = /^\/(api\/v1|apis\/apps\/v1)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/;
const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function route(
  cluster: Cluster,
  request: SeenRequest,
  forbidden: ReadonlySet<string>,
  changes: KubeChange[],
): LoopbackAnswer {
  const { method, path, query } = request;
  if (path === '/version') return { body: { major: '1', minor: '32', gitVersion: 'v1.32.0' } };
  const [, group = '', namespace, resource = '', name, part] = PATH.exec(path) ?? [];
  const known = RESOURCES[resource];
  if (!known || `apis/${known.apiVersion}`.replace('apis/v1', 'api/v1') !== group)
    throw new Refusal(404, 'the server could not find the requested resource');
  const verb = method === 'GET' ? (name ? 'get' : 'list') : (VERBS[method] ?? method);
  const what = part ? `${resource}/${part}` : resource;
  if (forbidden.has(`${verb} ${what}`)) throw forbiddenTo(verb, what, namespace, name);
  const dry = query.get('dryRun');
  if (dry !== null && dry !== 'All')
    throw new Refusal(422, `DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: "${dry}"`);
  if (method === 'GET' && !name) return { body: listOf(cluster, resource, namespace, query) };
  if (!namespace) throw new Refusal(405, 'the server does not allow this method on the requested resource');
  const before = cluster.version();
  const answer = act(cluster, { resource, namespace, name, part }, request, dry === 'All');
  if (cluster.version() !== before) changes.push({ method, path, body: request.body.toString('utf8') });
  return answer;
}

interface Target {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string | undefined;
  readonly part: string | undefined;
}

function act(cluster: Cluster, target: Target, request: SeenRequest, dryRun: boolean): LoopbackAnswer {
  const { resource, namespace, name, part } = target;
  if (!name) {
    if (request.method !== 'POST') throw new Refusal(405, 'the server does not allow this method');
    return { status: 201, body: createObject(cluster, resource, namespace, request, dryRun) };
  }
  const place = { resource, namespace, name };
  if (part === 'scale' && resource === 'deployments')
    return { body: scaleOf(cluster, place, request, dryRun) };
  if (part) throw new Refusal(404, 'the server could not find the requested resource');
  switch (request.method) {
    case 'GET':
      return { body: cluster.get(resource, namespace, name) };
    case 'PUT':
    case 'PATCH':
      return { body: writeObject(cluster, place, request, dryRun) };
    case 'DELETE': {
      const gone = cluster.get(resource, namespace, name);
      if (!dryRun) cluster.remove(resource, namespace, name);
      return { body: gone };
    }
    default:
      throw new Refusal(405, 'the server does not allow this method on the requested resource');
  }
}

function listOf(
  cluster: Cluster,
  resource: string,
  namespace: string | undefined,
  query: URLSearchParams,
): object {
  const { kind, apiVersion } = RESOURCES[resource] ?? { kind: '', apiVersion: '' };
  const found = cluster
    .list(resource, namespace)
    .filter((object) => matchesLabels(object, query.get('labelSelector')))
    .filter((object) => matchesFields(object, query.get('fieldSelector')));
  const from = Number(query.get('continue') ?? 0);
  const limit = Number(query.get('limit') ?? 0) || found.length;
  const rest = found.length - from - limit;
  const more = rest > 0 ? { continue: String(from + limit), remainingItemCount: rest } : {};
  // As the real API does, objects inside a list have neither `kind` nor `apiVersion`.
  const items = found.slice(from, from + limit).map((object) => {
    const plain: Partial<KubeObject> = { ...object };
    delete plain.kind;
    delete plain.apiVersion;
    return plain;
  });
  return {
    kind: `${kind}List`,
    apiVersion,
    metadata: { resourceVersion: cluster.version(), ...more },
    items,
  };
}

function forbiddenTo(verb: string, resource: string, namespace = '', name = ''): Refusal {
  const whole =
    resource.startsWith('deployments') || resource === 'replicasets' ? `${resource}.apps` : resource;
  const message = `${whole} "${name}" is forbidden: User "system:serviceaccount:ops:hermes" cannot ${verb} resource "${resource}" in API group "apps" in the namespace "${namespace}"`;
  return new Refusal(403, message, { name, kind: resource });
}

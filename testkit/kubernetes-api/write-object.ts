import type { SeenRequest } from '#testkit/web';
import type { Cluster } from './cluster.ts';
import { clone, type JsonObject, type KubeObject, RESOURCES, type Workload } from './objects.ts';
import { applyPatch } from './patches.ts';
import { Refusal } from './refusal.ts';
import { reconcile } from './rollout.ts';

interface Place {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The object as a PUT or PATCH leaves it. With `dryRun` nothing is stored. */
export function writeObject(
  cluster: Cluster,
  place: Place,
  request: SeenRequest,
  dryRun: boolean,
): KubeObject {
  const { resource, namespace, name } = place;
  const before = cluster.get(resource, namespace, name);
  const sent = body(request);
  const wanted =
    request.method === 'PUT'
      ? (sent as unknown as KubeObject)
      : (applyPatch(typeOf(request), before as unknown as JsonObject, sent) as unknown as KubeObject);
  checkVersion(place, before, wanted);
  const next = keepSystemParts(before, clone(wanted));
  if (resource === 'deployments') checkDeployment(next as Workload);
  if (same(before, next)) return before;
  const specChanged = JSON.stringify(before['spec']) !== JSON.stringify(next['spec']);
  if (specChanged) next.metadata.generation = (before.metadata.generation ?? 1) + 1;
  if (dryRun) return next;
  const stored = cluster.put(resource, next);
  if (resource === 'deployments' && specChanged) reconcile(cluster, stored as Workload);
  return cluster.get(resource, namespace, name);
}

/** A new object, as a POST to the list makes it. */
export function createObject(
  cluster: Cluster,
  resource: string,
  namespace: string,
  request: SeenRequest,
  dryRun: boolean,
): KubeObject {
  const sent = body(request) as unknown as KubeObject;
  const name = sent.metadata?.name;
  if (!name) throw new Refusal(422, 'metadata.name: Required value: name or generateName is required');
  if (cluster.find(resource, namespace, name))
    throw new Refusal(409, `${resource} "${name}" already exists`, { name, kind: resource }, 'AlreadyExists');
  const { labels, annotations } = sent.metadata;
  const metadata = cluster.meta(name, namespace, {
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  });
  const object = { ...sent, ...RESOURCES[resource], metadata } as KubeObject;
  if (resource === 'deployments') checkDeployment(object as Workload);
  if (dryRun) return object;
  const stored = cluster.put(resource, object);
  if (resource === 'deployments') reconcile(cluster, stored as Workload);
  return cluster.get(resource, namespace, name);
}

/** The `scale` part of a Deployment: what it is, or what a PUT or PATCH makes of it. */
export function scaleOf(cluster: Cluster, place: Place, request: SeenRequest, dryRun: boolean): object {
  const deployment = cluster.get('deployments', place.namespace, place.name) as Workload;
  const scale = scaleObject(deployment);
  if (request.method === 'GET') return scale;
  const sent = body(request);
  const next = (request.method === 'PUT' ? sent : applyPatch(typeOf(request), scale, sent)) as {
    metadata?: { resourceVersion?: string };
    spec?: { replicas?: number };
  };
  checkVersion(place, deployment, next as unknown as KubeObject);
  const replicas = next.spec?.replicas ?? 0;
  const wanted = { ...deployment, spec: { ...deployment.spec, replicas } };
  checkDeployment(wanted);
  if (dryRun || replicas === deployment.spec.replicas) return scaleObject(wanted);
  wanted.metadata.generation = (deployment.metadata.generation ?? 1) + 1;
  reconcile(cluster, cluster.put('deployments', wanted) as Workload);
  return scaleObject(cluster.get('deployments', place.namespace, place.name) as Workload);
}

function scaleObject({ metadata, spec, status }: Workload): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec.replicas },
    status: {
      replicas: Number(status['replicas'] ?? 0),
      selector: Object.entries(spec.selector.matchLabels)
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
    },
  };
}

const typeOf = (request: SeenRequest): string =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';

function body(request: SeenRequest): JsonObject {
  try {
    return request.json() as JsonObject;
  } catch (cause) {
    throw new Refusal(400, `the object provided is unrecognized: ${(cause as Error).message}`);
  }
}

/** A version that the client names and that is no longer the stored one is a conflict. */
function checkVersion({ resource, name }: Place, before: KubeObject, next: KubeObject): void {
  const told = next.metadata?.resourceVersion;
  if (!told || told === before.metadata.resourceVersion) return;
  const full = RESOURCES[resource]?.apiVersion === 'apps/v1' ? `${resource}.apps` : resource;
  throw new Refusal(
    409,
    `Operation cannot be fulfilled on ${full} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    { name, group: 'apps', kind: resource },
  );
}

/** Clients change neither identity nor status. */
function keepSystemParts(before: KubeObject, next: KubeObject): KubeObject {
  const { uid, creationTimestamp, resourceVersion, generation } = before.metadata;
  next.metadata = { ...next.metadata, uid, creationTimestamp, resourceVersion };
  if (generation !== undefined) next.metadata.generation = generation;
  if (before['status'] !== undefined) next['status'] = clone(before['status']);
  return next;
}

function checkDeployment({ metadata, spec }: Workload): void {
  const invalid = (field: string, problem: string): Refusal =>
    new Refusal(422, `Deployment.apps "${metadata.name}" is invalid: ${field}: ${problem}`, {
      name: metadata.name,
      group: 'apps',
      kind: 'Deployment',
      causes: [{ reason: 'FieldValueInvalid', message: problem, field }],
    });
  if (!Number.isInteger(spec.replicas) || spec.replicas < 0)
    throw invalid('spec.replicas', `Invalid value: ${spec.replicas}: must be greater than or equal to 0`);
  const { containers } = spec.template.spec;
  if (!containers?.length) throw invalid('spec.template.spec.containers', 'Required value');
  containers.forEach(({ name, image }, at) => {
    if (!name || !image) throw invalid(`spec.template.spec.containers[${at}].image`, 'Required value');
  });
  for (const [key, value] of Object.entries(spec.selector.matchLabels)) {
    if (spec.template.metadata.labels?.[key] !== value)
      throw invalid('spec.template.metadata.labels', '`selector` does not match template `labels`');
  }
}

const same = (one: KubeObject, other: KubeObject): boolean => JSON.stringify(one) === JSON.stringify(other);

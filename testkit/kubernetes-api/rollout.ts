import { createHash } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import { clone, HASH_LABEL, type PodTemplate, REVISION, type Workload } from './objects.ts';

const HISTORY = 'deployment.kubernetes.io/revision-history';
/** Annotations that the controller does not carry over from a Deployment to its ReplicaSet. */
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  HISTORY,
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
]);

/**
 * What the Deployment controller does after a Deployment was written, at once: a ReplicaSet for the template (an old one
 * that has it takes the next revision number), pods, events, status. `ready` is how many pods become ready.
 */
export function reconcile(cluster: Cluster, deployment: Workload, ready?: number): void {
  const { name, namespace } = deployment.metadata;
  const all = replicaSetsOf(cluster, deployment);
  if (!deployment.spec.paused) {
    const current = all.find((set) => sameTemplate(set.spec.template, deployment.spec.template));
    const highest = Math.max(0, ...all.map(revisionOf));
    const revision = current && revisionOf(current) === highest ? highest : highest + 1;
    const active = current
      ? adopt(current, deployment, revision)
      : newReplicaSet(cluster, deployment, revision);
    for (const set of all) if (set.metadata.name !== active.metadata.name) scale(cluster, deployment, set, 0);
    scale(cluster, deployment, active, deployment.spec.replicas);
    prune(cluster, deployment, active.metadata.name);
    deployment.metadata.annotations = { ...deployment.metadata.annotations, [REVISION]: String(revision) };
  }
  const wanted = deployment.spec.replicas;
  const available = Math.min(wanted, ready ?? wanted);
  deployment.status = {
    observedGeneration: deployment.metadata.generation ?? 1,
    replicas: wanted,
    updatedReplicas: wanted,
    readyReplicas: available,
    availableReplicas: available,
    ...(available < wanted ? { unavailableReplicas: wanted - available } : {}),
    conditions: conditions(cluster, name, available, wanted),
  };
  cluster.put('deployments', deployment);
  replacePods(cluster, deployment, namespace, available);
}

const replicaSetsOf = (cluster: Cluster, deployment: Workload): Workload[] =>
  cluster
    .list('replicasets', deployment.metadata.namespace)
    .filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === deployment.metadata.uid) as Workload[];

const revisionOf = (set: Workload): number => Number(set.metadata.annotations?.[REVISION] ?? 0);

function adopt(set: Workload, deployment: Workload, revision: number): Workload {
  const was = revisionOf(set);
  const history = [set.metadata.annotations?.[HISTORY], was].filter(Boolean).join(',');
  set.metadata.annotations = {
    ...set.metadata.annotations,
    ...copied(deployment),
    ...(was === revision ? {} : { [HISTORY]: history }),
    [REVISION]: String(revision),
  };
  return set;
}

const copied = ({ metadata }: Workload): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key)));

function newReplicaSet(cluster: Cluster, deployment: Workload, revision: number): Workload {
  const { name, namespace, uid } = deployment.metadata;
  const hash = createHash('sha256')
    .update(JSON.stringify(deployment.spec.template))
    .digest('hex')
    .slice(0, 10);
  const template = clone(deployment.spec.template);
  template.metadata.labels = { ...template.metadata.labels, [HASH_LABEL]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: cluster.meta(`${name}-${hash}`, namespace, {
      generation: 1,
      labels: { ...template.metadata.labels },
      annotations: { ...copied(deployment), [REVISION]: String(revision) },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }],
    }),
    spec: {
      replicas: 0,
      selector: { matchLabels: { ...deployment.spec.selector.matchLabels, [HASH_LABEL]: hash } },
      template,
    },
    status: { replicas: 0 },
  };
}

function scale(cluster: Cluster, deployment: Workload, set: Workload, replicas: number): void {
  const before = set.spec.replicas;
  set.spec.replicas = replicas;
  set.status = { replicas, ...(replicas ? { readyReplicas: replicas, availableReplicas: replicas } : {}) };
  cluster.put('replicasets', set);
  if (before === replicas) return;
  const way = replicas > before ? 'up' : 'down';
  const message = `Scaled ${way} replica set ${set.metadata.name} to ${replicas} from ${before}`;
  addEvent(cluster, deployment, 'ScalingReplicaSet', message);
}

/** An event of the cluster about a Deployment. */
export function addEvent(
  cluster: Cluster,
  { metadata: { name, namespace, uid } }: Workload,
  reason: string,
  message: string,
  type: 'Normal' | 'Warning' = 'Normal',
): void {
  const at = cluster.isoNow();
  const suffix = createHash('sha256').update(`${message}${cluster.version()}`).digest('hex').slice(0, 16);
  cluster.put('events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: cluster.meta(`${name}.${suffix}`, namespace),
    involvedObject: { kind: 'Deployment', namespace, name, uid, apiVersion: 'apps/v1' },
    reason,
    message,
    source: { component: 'deployment-controller' },
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
    type,
  });
}

function prune(cluster: Cluster, deployment: Workload, active: string): void {
  const old = replicaSetsOf(cluster, deployment)
    .filter(({ metadata }) => metadata.name !== active)
    .toSorted((a, b) => revisionOf(b) - revisionOf(a));
  for (const { metadata } of old.slice(deployment.spec.revisionHistoryLimit ?? 10)) {
    cluster.remove('replicasets', metadata.namespace, metadata.name);
  }
}

/** Templates are the same but for the label with the hash, as the controller compares them. */
function sameTemplate(one: PodTemplate, other: PodTemplate): boolean {
  const plain = (template: PodTemplate): string => {
    const { [HASH_LABEL]: _, ...labels } = template.metadata.labels ?? {};
    return JSON.stringify(sortKeys({ ...template, metadata: { ...template.metadata, labels } }));
  };
  return plain(one) === plain(other);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

function conditions(cluster: Cluster, name: string, available: number, wanted: number): object[] {
  const at = cluster.isoNow();
  const times = { lastUpdateTime: at, lastTransitionTime: at };
  const enough = available >= wanted;
  return [
    {
      type: 'Available',
      status: enough ? 'True' : 'False',
      reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: enough
        ? 'Deployment has minimum availability.'
        : 'Deployment does not have minimum availability.',
      ...times,
    },
    {
      type: 'Progressing',
      status: 'True',
      reason: enough ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
      message: `Deployment "${name}" ${enough ? 'has successfully progressed' : 'is progressing'}.`,
      ...times,
    },
  ];
}

function replacePods(cluster: Cluster, deployment: Workload, namespace: string, ready: number): void {
  const active = replicaSetsOf(cluster, deployment).find(({ spec }) => spec.replicas > 0);
  const { name } = deployment.metadata;
  for (const { metadata } of cluster.list('pods', namespace)) {
    if (metadata.name.startsWith(`${name}-`)) cluster.remove('pods', namespace, metadata.name);
  }
  if (!active) return;
  const { template } = active.spec;
  for (let at = 0; at < active.spec.replicas; at++) {
    const isReady = at < ready;
    cluster.put('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: cluster.meta(`${active.metadata.name}-${String(at).padStart(5, 'x')}`, namespace, {
        ...(template.metadata.labels ? { labels: { ...template.metadata.labels } } : {}),
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: active.metadata.name,
            uid: active.metadata.uid,
            controller: true,
          },
        ],
      }),
      spec: clone(template.spec),
      status: {
        phase: isReady ? 'Running' : 'Pending',
        startTime: cluster.isoNow(),
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
        containerStatuses: template.spec.containers.map(({ name: container, image }) => ({
          name: container,
          image,
          ready: isReady,
          restartCount: 0,
          state: isReady
            ? { running: { startedAt: cluster.isoNow() } }
            : { waiting: { reason: 'CrashLoopBackOff' } },
        })),
      },
    });
  }
}

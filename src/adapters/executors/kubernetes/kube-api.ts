import type { z } from 'zod';
import type { ExecutionOrder } from '#spec/ports';
import { openTarget } from '#adapters/io/http/open-target';
import { ConfigMap, Deployment, FENCE, MARKER, ReplicaSets } from '#adapters/io/kubernetes/kube-objects';
import { probeNamespace } from '#adapters/io/kubernetes/probe-namespace';
import type { KubeAccess } from '#adapters/io/kubernetes/read-kubeconfig';

interface JsonPatchStep {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

/** Where one object is. */
export interface KubePlace {
  readonly kind: 'deployments' | 'configmaps';
  readonly namespace: string;
  readonly name: string;
}

type Marked = { readonly metadata: Deployment['metadata'] };

export interface KubeApi {
  deployment(namespace: string, name: string, signal: AbortSignal): Promise<Deployment>;
  configMap(namespace: string, name: string, signal: AbortSignal): Promise<ConfigMap>;
  replicaSets(
    deployment: Deployment,
    namespace: string,
    signal: AbortSignal,
  ): Promise<z.infer<typeof ReplicaSets>>;
  /** What the server would make of it. Nothing is stored. */
  dryRun<T>(
    schema: z.ZodType<T>,
    place: KubePlace,
    patch: readonly JsonPatchStep[],
    signal: AbortSignal,
  ): Promise<T>;
  patch(place: KubePlace, patch: readonly JsonPatchStep[], order: ExecutionOrder): Promise<void>;
  reach(namespace: string, signal: AbortSignal): Promise<void>;
}

const JSON_PATCH = 'application/json-patch+json';

export function kubeApi(access: KubeAccess, timeoutMs: number, credential: string): KubeApi {
  const { url, tls, token } = access;
  const target = openTarget({ name: 'Kubernetes', baseUrl: url, token, tls, timeoutMs, credential });
  const read = <T>(schema: z.ZodType<T>, path: string, signal: AbortSignal) =>
    target.read(schema, { method: 'GET', path }, signal);
  return {
    deployment: (namespace, name, signal) =>
      read(Deployment, pathOf({ kind: 'deployments', namespace, name }), signal),
    configMap: (namespace, name, signal) =>
      read(ConfigMap, pathOf({ kind: 'configmaps', namespace, name }), signal),
    replicaSets: ({ spec }, namespace, signal) => {
      const labels = Object.entries(spec.selector.matchLabels).map(([name, value]) => `${name}=${value}`);
      const query = new URLSearchParams({ labelSelector: labels.join(',') });
      return read(ReplicaSets, `/apis/apps/v1/namespaces/${namespace}/replicasets?${query}`, signal);
    },
    dryRun: (schema, place, body, signal) => {
      const path = `${pathOf(place)}?dryRun=All&fieldManager=hermes`;
      return target.read(schema, { method: 'PATCH', path, body, contentType: JSON_PATCH }, signal);
    },
    reach: (namespace, signal) => probeNamespace(target, namespace, signal),
    patch: async (place, body, order) => {
      const path = `${pathOf(place)}?fieldManager=hermes`;
      await target.act(
        Deployment.pick({ metadata: true }),
        { method: 'PATCH', path, body, contentType: JSON_PATCH },
        order,
      );
    },
  };
}

/**
 * The steps with which every patch begins: it is refused when the object is no longer the one that was read, and the
 * key and the fence are stored with the effect or not at all.
 */
export function marked(
  { metadata }: Marked,
  order: Pick<ExecutionOrder, 'key' | 'fence' | 'scope'>,
): JsonPatchStep[] {
  const annotations = {
    ...metadata.annotations,
    [MARKER]: order.key,
    [FENCE]: `${order.scope}:${order.fence}`,
  };
  return [
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'add', path: '/metadata/annotations', value: annotations },
  ];
}

export const lastAction = ({ metadata }: Marked): string | null => metadata.annotations[MARKER] ?? null;

/** The fence that was last shown in this scope; 0 where another scope was the last. */
export function lastFence({ metadata }: Marked, scope: string): number {
  const shown = metadata.annotations[FENCE] ?? '';
  return shown.startsWith(`${scope}:`) ? Number(shown.slice(scope.length + 1)) || 0 : 0;
}

function pathOf({ kind, namespace, name }: KubePlace): string {
  const group = kind === 'deployments' ? '/apis/apps/v1' : '/api/v1';
  return `${group}/namespaces/${namespace}/${kind}/${name}`;
}

/** A key inside a JSON pointer. */
export const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

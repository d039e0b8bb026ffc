import { clone, type KubeMeta, type KubeObject, RESOURCES } from './objects.ts';
import { Refusal } from './refusal.ts';

/** The objects of a small cluster. Every write takes the next `resourceVersion`. */
export interface Cluster {
  readonly now: () => number;
  list(resource: string, namespace?: string): KubeObject[];
  /** Throws the API's 404. */
  get(resource: string, namespace: string, name: string): KubeObject;
  find(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** Stores the object under a new version and gives what is stored. */
  put(resource: string, object: KubeObject): KubeObject;
  remove(resource: string, namespace: string, name: string): void;
  /** Metadata of a new object. */
  meta(name: string, namespace: string, more?: Partial<KubeMeta>): KubeMeta;
  version(): string;
  isoNow(): string;
}

export function newCluster(now: () => number): Cluster {
  const stored = new Map<string, KubeObject>();
  let version = 1000;
  let uids = 0;
  const id = (resource: string, namespace: string, name: string) => `${resource}/${namespace}/${name}`;
  const isoNow = () => `${new Date(now()).toISOString().slice(0, 19)}Z`;
  const find = (resource: string, namespace: string, name: string) =>
    stored.get(id(resource, namespace, name));
  return {
    now,
    isoNow,
    find: (...place) => {
      const found = find(...place);
      return found && clone(found);
    },
    version: () => String(version),
    list: (resource, namespace) =>
      [...stored]
        .filter(
          ([key, { metadata }]) =>
            key.startsWith(`${resource}/`) && (namespace ?? metadata.namespace) === metadata.namespace,
        )
        .map(([, object]) => clone(object)),
    get: (resource, namespace, name) => {
      const found = find(resource, namespace, name);
      if (found) return clone(found);
      const group = RESOURCES[resource]?.apiVersion === 'apps/v1' ? 'apps' : undefined;
      const full = group ? `${resource}.${group}` : resource;
      throw new Refusal(404, `${full} "${name}" not found`, {
        name,
        ...(group ? { group } : {}),
        kind: resource,
      });
    },
    put: (resource, object) => {
      version += 1;
      const next = clone(object);
      next.metadata.resourceVersion = String(version);
      stored.set(id(resource, next.metadata.namespace, next.metadata.name), next);
      return clone(next);
    },
    remove: (resource, namespace, name) => {
      version += 1;
      stored.delete(id(resource, namespace, name));
    },
    meta: (name, namespace, more = {}) => {
      uids += 1;
      const uid = `00000000-0000-4000-8000-${String(uids).padStart(12, '0')}`;
      return { name, namespace, uid, resourceVersion: '0', creationTimestamp: isoNow(), ...more };
    },
  };
}
